import { ChevronDown, X } from 'lucide-react'
import { type KeyboardEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { checkVariableName } from '../../../engine/flow/variableName'
import type { RichText } from '../../../engine/values/richText'
import { findSystemVariable } from '../../../engine/values/systemVariables'
import { IconButton } from '../../ui/IconButton'
import { FloatingPanel } from '../FloatingPanel'
import { useFlowScope } from '../flowScope'
import { Chip } from '../RichTextView'
import { VariablePicker } from '../VariablePicker'
import { answerName } from './answerName'
import { errorId, FieldFrame } from './FieldFrame'
import styles from './form.module.css'
import { useField, useForm } from './formContext'

/**
 * A variable of the flow by its id, or none; a missing one can be created in place. Typing searches; for an answer, a
 * variable named after the question is suggested. `needed`: can be changed, not cleared.
 */
export function VariableField({
  name,
  pathName,
  needed,
  hiddenLabel,
  system,
}: {
  name: string
  /** the field of a path, if a part of the variable's value can be chosen */
  pathName?: string
  needed?: boolean
  hiddenLabel?: boolean
  /** also offers system variables, for reading */
  system?: boolean
}) {
  const { t } = useTranslation('text')
  const own = useField<string | null>(name)
  const { variables, createVariable } = useFlowScope()
  const item = useField<Record<string, unknown>>(name.split('.').slice(0, -1).join('.'))
  const part = useField<string | undefined>(pathName ?? '')
  const chosen = variables.find(({ id }) => id === own.value) ?? findSystemVariable(own.value ?? '')
  const gone = own.value !== null && !chosen && !own.mixed
  const field = { ...own, error: gone ? t('variables.gone') : own.error }
  const button = useRef<HTMLButtonElement>(null)
  const [at, setAt] = useState<DOMRect | null>(null)
  const [typed, setTyped] = useState('')
  const proposed = useProposed(name, own.value)
  const close = () => {
    setAt(null)
    button.current?.focus()
  }
  const open = (beginning: string) => {
    setTyped(beginning)
    setAt(button.current?.getBoundingClientRect() ?? null)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, altKey, nativeEvent } = event
    if (ctrlKey || metaKey || altKey || nativeEvent.isComposing || key === ' ' || [...key].length > 1) return
    event.preventDefault()
    open(key)
  }
  /** both in one write: two writes of one item would each start from the present item */
  const pickPart = (variableId: string, path: string | undefined) => {
    const { path: _path, ...rest } = item.value
    item.set({ ...rest, [name.split('.').at(-1) ?? '']: variableId, ...(path !== undefined && { path }) })
  }
  return (
    <FieldFrame field={field} hidden={hiddenLabel}>
      <div
        className={styles.variable}
        data-read-only={field.readOnly || undefined}
        data-error={field.error !== undefined || undefined}
      >
        <button
          ref={button}
          id={field.id}
          type="button"
          className={styles.variableButton}
          aria-label={hiddenLabel ? field.label : undefined}
          aria-haspopup="listbox"
          aria-expanded={at !== null}
          aria-describedby={errorId(field.id)}
          disabled={field.readOnly}
          onClick={() => open('')}
          onKeyDown={onKeyDown}
        >
          {field.mixed ? (
            <span className={styles.faint}>{t('form.mixed')}</span>
          ) : field.value === null ? (
            <span className={styles.faint}>
              {field.readOnly ? t('form.notSet') : (field.placeholder ?? t('form.chooseVariable'))}
            </span>
          ) : (
            <Chip name={chosen?.name} path={pathName ? part.value : undefined} />
          )}
          <ChevronDown size={14} aria-hidden />
        </button>
        {proposed && !field.readOnly && !field.mixed && (
          <button
            type="button"
            className={styles.propose}
            onClick={() => {
              const id = proposed.id ?? createVariable?.(proposed.name)
              if (id !== undefined) field.set(id)
              button.current?.focus()
            }}
          >
            {t(proposed.id === undefined ? 'variables.createProposed' : 'variables.useProposed', {
              name: proposed.name,
            })}
          </button>
        )}
        {(field.value !== null || field.mixed) && !needed && !field.readOnly && (
          <IconButton size="s" label={t('form.clear')} icon={<X size={14} />} onClick={() => field.set(null)} />
        )}
      </div>
      {at && (
        <FloatingPanel at={at} onLeave={() => setAt(null)}>
          <VariablePicker
            typed={typed}
            selected={field.mixed ? null : field.value}
            onCancel={close}
            system={system}
            parts={pathName !== undefined}
            onPick={(variableId, path) => {
              if (pathName) pickPart(variableId, path)
              else field.set(variableId)
              close()
            }}
          />
        </FloatingPanel>
      )}
    </FieldFrame>
  )
}

/** The suggested variable for the answer to the form's question, existing or new; null if there is no suggestion. */
function useProposed(field: string, chosen: string | null): { name: string; id: string | undefined } | null {
  const { prompt } = useForm().data as { prompt?: RichText }
  const { variables, createVariable } = useFlowScope()
  const name = field === 'saveTo' && chosen === null ? answerName(prompt) : undefined
  if (name === undefined || createVariable === null) return null
  const same = variables.find((variable) => variable.name.toLowerCase() === name.toLowerCase())
  if (same) return { name: same.name, id: same.id }
  return checkVariableName(name, []) ? null : { name, id: undefined }
}
