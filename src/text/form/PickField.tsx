import { Select } from '../../ui/Select'
import { errorId, FieldFrame } from './FieldFrame'
import { useField } from './formContext'

interface PickFieldProps {
  name: string
  data: readonly { value: string; label: string }[]
  hiddenLabel?: boolean
  /** can be changed, not cleared */
  needed?: boolean
  /** the error if the value is no longer available */
  gone?: string
  /** shown instead of the list if there are no choices */
  empty?: string
}

/** One of many, searchable, or none (null): a country, a time zone, a flow. The placeholder explains none. */
export function PickField({ name, data, hiddenLabel, needed, gone, empty }: PickFieldProps) {
  const own = useField<string | null>(name)
  const isGone = gone !== undefined && own.value !== null && !data.some(({ value }) => value === own.value)
  const field = { ...own, error: isGone ? gone : own.error }
  return (
    <FieldFrame field={field} hidden={hiddenLabel}>
      <Select
        id={field.id}
        aria-label={hiddenLabel ? field.label : undefined}
        data={[...data]}
        value={isGone ? null : field.value}
        placeholder={field.placeholder}
        nothingFoundMessage={empty}
        searchable
        limit={50}
        clearable={!field.readOnly && !needed}
        disabled={field.readOnly}
        error={field.error !== undefined}
        aria-describedby={errorId(field.id)}
        onChange={(value) => (value !== null || !needed) && field.set(value)}
      />
    </FieldFrame>
  )
}
