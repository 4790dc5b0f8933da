import { ChevronDown, X } from 'lucide-react'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { findSystemVariable } from '../../../engine/values/systemVariables'
import { IconButton } from '../../ui/IconButton'
import { FloatingPanel } from '../FloatingPanel'
import { useFlowScope } from '../flowScope'
import { Chip } from '../RichTextView'
import { VariablePicker } from '../VariablePicker'
import { errorId, FieldFrame } from './FieldFrame'
import styles from './form.module.css'
import { useField } from './formContext'

/** A variable of the flow by its id, or none; one that is missing can be created on the spot. `needed`: can be changed, not cleared. */
export function VariableField({
  name,
  pathName,
  needed,
  hiddenLabel,
  system,
}: {
  name: string
  /** where a part of the variable's value can be named */
  pathName?: string
  needed?: boolean
  hiddenLabel?: boolean
  /** for reading: system variables can be chosen too */
  system?: boolean
}) {
  const { t } = useTranslation('text')
  const own = useField<string | null>(name)
  const { variables } = useFlowScope()
  const item = useField<Record<string, unknown>>(name.split('.').slice(0, -1).join('.'))
  const part = useField<string | undefined>(pathName ?? '')
  const chosen = variables.find(({ id }) => id === own.value) ?? findSystemVariable(own.value ?? '')
  const gone = own.value !== null && !chosen && !own.mixed
  const field = { ...own, error: gone ? t('variables.gone') : own.error }
  const button = useRef<HTMLButtonElement>(null)
  const [at, setAt] = useState<DOMRect | null>(null)
  const close = () => {
    setAt(null)
    button.current?.focus()
  }
  /** both at once: two writes of one item would each begin with the item as it is now */
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
          onClick={(event) => setAt(event.currentTarget.getBoundingClientRect())}
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
        {(field.value !== null || field.mixed) && !needed && !field.readOnly && (
          <IconButton size="s" label={t('form.clear')} icon={<X size={14} />} onClick={() => field.set(null)} />
        )}
      </div>
      {at && (
        <FloatingPanel at={at} onLeave={() => setAt(null)}>
          <VariablePicker
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
