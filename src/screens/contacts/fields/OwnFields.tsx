import { useTranslation } from 'react-i18next'
import type { CustomField } from '../../../../server/contracts/customFields'
import { Select } from '../../../ui/Select'
import { TextField } from '../../../ui/TextField'

interface OwnFieldsProps {
  own: readonly CustomField[]
  /** by name; those that nobody described are free text */
  values: Readonly<Record<string, string>>
  wrong: Readonly<Record<string, string>>
  readOnly: boolean
  onChange: (name: string, value: string) => void
}

/** A project's own fields in a contact's form, each by its type. */
export function OwnFields({ own, values, wrong, readOnly, onChange }: OwnFieldsProps) {
  const described = new Set(own.map(({ name }) => name))
  const free = Object.keys(values).filter((name) => !described.has(name))
  return (
    <>
      {own.map((field) => (
        <OwnField
          key={field.name}
          field={field}
          value={values[field.name] ?? ''}
          error={wrong[`custom.${field.name}`]}
          readOnly={readOnly}
          onChange={(value) => onChange(field.name, value)}
        />
      ))}
      {free.map((name) => (
        <TextField
          key={name}
          label={name}
          value={values[name] ?? ''}
          error={wrong[`custom.${name}`]}
          readOnly={readOnly}
          onChange={({ currentTarget: { value } }) => onChange(name, value)}
        />
      ))}
    </>
  )
}

interface OwnFieldProps {
  field: CustomField
  value: string
  error: string | undefined
  readOnly: boolean
  onChange: (value: string) => void
}

function OwnField({ field: { name, type, choices }, value, error, readOnly, onChange }: OwnFieldProps) {
  const { t } = useTranslation('contacts')
  const listed =
    type === 'boolean'
      ? (['true', 'false'] as const).map((each) => ({ value: each, label: t(`yesNo.${each}`) }))
      : type === 'choice'
        ? choices.map((each) => ({ value: each, label: each }))
        : null
  // what a flow wrote may be none of them, and is shown as it is
  if (listed && (value === '' || listed.some((each) => each.value === value)))
    return (
      <Select
        label={name}
        data={listed}
        clearable={!readOnly}
        disabled={readOnly}
        error={error}
        value={value || null}
        onChange={(chosen) => onChange(chosen ?? '')}
      />
    )
  const isDay = type === 'date' && (value === '' || /^\d{4}-\d\d-\d\d$/.test(value))
  return (
    <TextField
      label={name}
      type={isDay ? 'date' : 'text'}
      inputMode={type === 'number' ? 'decimal' : type === 'url' ? 'url' : undefined}
      value={value}
      readOnly={readOnly}
      error={error}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  )
}
