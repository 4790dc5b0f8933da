import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Json } from '../../engine/values/json'
import { convert, print, read, typeOf, type ValueType, valueTypes } from '../text/typedValue'
import { Select } from '../ui/Select'
import { TextField } from '../ui/TextField'
import css from './RunValues.module.css'

/** A value and its type. Invalid text stays in the field with an error, and changes nothing. */
export function ValueField(props: {
  label: string
  value: Json
  autoFocus?: boolean
  onChange: (value: Json) => void
  onProblem: () => void
}) {
  const { label, value, autoFocus, onChange, onProblem } = props
  const { t } = useTranslation(['preview', 'variables'])
  const [type, setType] = useState<ValueType>(typeOf(value))
  const [draft, setDraft] = useState<string | null>(null)
  const typed = draft === null ? null : read(draft, type)
  const problem =
    typed && 'problem' in typed ? t(`variables:panel.${typed.problem}`) : typed && 'message' in typed && typed.message
  return (
    <fieldset className={css.value}>
      <legend>{label}</legend>
      {type === 'yes-no' ? (
        <Select
          aria-label={t('value.of', { name: label })}
          data={[
            { value: 'true', label: t('variables:panel.yes') },
            { value: 'false', label: t('variables:panel.no') },
          ]}
          value={String(value)}
          onChange={(chosen) => onChange(chosen === 'true')}
        />
      ) : (
        <TextField
          aria-label={t('value.of', { name: label })}
          data-autofocus={autoFocus || undefined}
          value={type === 'unset' ? '' : (draft ?? print(value))}
          placeholder={type === 'unset' ? t('unset') : undefined}
          error={problem}
          onChange={(event) => {
            const text = event.currentTarget.value
            // typing into an unset value makes it a text
            const next = type === 'unset' ? 'text' : type
            if (next !== type) setType(next)
            setDraft(text)
            const result = read(text, next)
            if ('value' in result) onChange(result.value)
            else onProblem()
          }}
        />
      )}
      <Select
        aria-label={t('value.type', { name: label })}
        data={valueTypes.map((one) => ({ value: one, label: t(`variables:panel.types.${one}`) }))}
        value={type}
        onChange={(chosen) => {
          const next = valueTypes.find((one) => one === chosen)
          if (!next) return
          setType(next)
          setDraft(null)
          onChange(convert(value, next))
        }}
      />
    </fieldset>
  )
}
