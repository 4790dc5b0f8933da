import { ChevronDown, X } from 'lucide-react'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
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
  needed,
  hiddenLabel,
}: {
  name: string
  needed?: boolean
  hiddenLabel?: boolean
}) {
  const { t } = useTranslation('text')
  const own = useField<string | null>(name)
  const { variables } = useFlowScope()
  const chosen = variables.find(({ id }) => id === own.value)
  const gone = own.value !== null && !chosen
  const field = { ...own, error: gone ? t('variables.gone') : own.error }
  const button = useRef<HTMLButtonElement>(null)
  const [at, setAt] = useState<DOMRect | null>(null)
  const close = () => {
    setAt(null)
    button.current?.focus()
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
          {field.value === null ? (
            <span className={styles.faint}>
              {field.readOnly ? t('form.notSet') : (field.placeholder ?? t('form.chooseVariable'))}
            </span>
          ) : (
            <Chip name={chosen?.name} />
          )}
          <ChevronDown size={14} aria-hidden />
        </button>
        {field.value !== null && !needed && !field.readOnly && (
          <IconButton size="s" label={t('form.clear')} icon={<X size={14} />} onClick={() => field.set(null)} />
        )}
      </div>
      {at && (
        <FloatingPanel at={at} onLeave={() => setAt(null)}>
          <VariablePicker
            selected={field.value}
            onCancel={close}
            onPick={(variableId) => {
              field.set(variableId)
              close()
            }}
          />
        </FloatingPanel>
      )}
    </FieldFrame>
  )
}
