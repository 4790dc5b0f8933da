import { Select } from '../../ui/Select'
import { errorId, FieldFrame } from './FieldFrame'
import { useField } from './formContext'

interface PickFieldProps {
  name: string
  data: readonly { value: string; label: string }[]
  hiddenLabel?: boolean
  /** can be changed, not cleared */
  needed?: boolean
  /** what is wrong when the value is not among them any more */
  gone?: string
  /** said instead of the list when there is nothing to choose */
  empty?: string
}

/** One of many, found by typing, or none (null): a country, a time zone, a flow. The placeholder says what none means. */
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
