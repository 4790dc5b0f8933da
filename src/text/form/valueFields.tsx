import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { parseNumber, ruleMessages } from '../../../engine/values/rules'
import { Select } from '../../ui/Select'
import { Switch } from '../../ui/Switch'
import { TextField } from '../../ui/TextField'
import { PeersHere } from '../PeersHere'
import { errorId, FieldFrame } from './FieldFrame'
import styles from './form.module.css'
import { useField, useForm } from './formContext'
import { goOnToText } from './goOnToText'

const ANY = { min: -Number.MAX_VALUE, max: Number.MAX_VALUE }

/**
 * A number, typed as text. Any number is stored as typed, in range or not; invalid text stays in the field with an
 * error, and is not stored.
 * @param optional an empty field is `null`
 * @param unit shown after the number
 */
export function NumberField({
  name,
  optional = false,
  hiddenLabel,
  unit,
}: {
  name: string
  optional?: boolean
  hiddenLabel?: boolean
  unit?: string
}) {
  const field = useField<number | null>(name)
  const { document } = useForm()
  const { t } = useTranslation('text')
  const [draft, setDraft] = useState<{ text: string; value: number | null } | null>(null)
  const typed = draft && draft.value === field.value ? draft.text : null
  const text = typed ?? (field.mixed || field.value === null ? '' : String(field.value))
  const invalid = typed !== null && parseNumber(typed, ANY) === null && !(optional && typed.trim() === '')
  const error = invalid ? ruleMessages.number : field.error
  return (
    <FieldFrame field={{ ...field, error }} hidden={hiddenLabel}>
      <TextField
        id={field.id}
        aria-label={hiddenLabel ? field.label : undefined}
        rightSection={unit}
        rightSectionPointerEvents="none"
        inputMode="decimal"
        value={text}
        placeholder={field.mixed ? t('form.mixed') : field.placeholder}
        readOnly={field.readOnly}
        error={error !== undefined}
        aria-invalid={error !== undefined || undefined}
        aria-describedby={errorId(field.id)}
        onChange={(event) => {
          const next = event.currentTarget.value
          const number = parseNumber(next, ANY)
          const value = number ?? (optional && next.trim() === '' ? null : field.value)
          setDraft({ text: next, value })
          const isNew = value !== field.value || (field.mixed && number !== null)
          if (isNew) document.commands.typing(() => field.set(value))
        }}
      />
    </FieldFrame>
  )
}

export function ToggleField({ name }: { name: string }) {
  const field = useField<boolean>(name)
  const { t } = useTranslation('text')
  return (
    <div className={styles.frame} data-field={field.place}>
      <div className={styles.heading} data-hidden>
        <PeersHere place={field.place} />
      </div>
      <Switch
        id={field.id}
        checked={field.value === true && !field.mixed}
        label={field.label}
        aria-describedby={field.mixed ? errorId(field.id) : undefined}
        disabled={field.readOnly}
        onChange={(event) => field.set(event.currentTarget.checked)}
      />
      {field.mixed && (
        <div id={errorId(field.id)} className={styles.toggleHelp}>
          {t('form.mixed')}
        </div>
      )}
      {field.help && <div className={styles.toggleHelp}>{field.help}</div>}
    </div>
  )
}

/** One of a few; the texts of the choices are `<kind>.fields.<name>.options.<value>`. */
/** @param props.preset usually right: a new block's focus starts at the next field */
export function SelectField(props: {
  name: string
  options: readonly string[]
  hiddenLabel?: boolean
  preset?: boolean
  /** whether a picked option requires the text that follows: it gets the focus */
  leadsToText?: (picked: string) => boolean
}) {
  const field = useField<string>(props.name)
  const { t } = useTranslation('text')
  return (
    <FieldFrame field={field} hidden={props.hiddenLabel}>
      <Select
        id={field.id}
        aria-label={field.label}
        data-preset={props.preset || undefined}
        data={props.options.map((value) => ({ value, label: field.text(`options.${value}`) }))}
        value={field.mixed ? null : field.value}
        placeholder={field.mixed ? t('form.mixed') : undefined}
        disabled={field.readOnly}
        onChange={(value) => {
          if (value === null) return
          field.set(value)
          if (props.leadsToText?.(value)) goOnToText(field.id)
        }}
      />
    </FieldFrame>
  )
}
