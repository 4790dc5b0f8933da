import { tooLong } from '../../../engine/values/caps'
import { TextArea } from '../../ui/TextArea'
import { TextField } from '../../ui/TextField'
import styles from './actions.module.css'
import { useDraft } from './draft'

interface CountedProps {
  label: string
  /** its path in the action: `config.url` */
  path: string
  value: string
  max: number
  onChange: (value: string) => void
  hint?: string | undefined
  placeholder?: string | undefined
  required?: boolean
  /** several lines, at least this many */
  rows?: number
  mono?: boolean
}

/** A text of the action with its character count. Text that is too long is kept, with an error. */
export function Counted({ label, path, value, max, onChange, hint, placeholder, required, rows, mono }: CountedProps) {
  const { errors, readOnly } = useDraft()
  const isOver = value.trim().length > max
  const props = {
    label,
    value,
    readOnly,
    placeholder,
    withAsterisk: required,
    spellCheck: mono ? false : undefined,
    classNames: mono ? { input: styles.mono } : {},
    inputWrapperOrder: ['label' as const, 'input' as const, 'description' as const, 'error' as const],
    description: (
      <span className={styles.under}>
        <span>{hint}</span>
        <span className={styles.count} data-over={isOver || undefined}>
          {value.length} / {max}
        </span>
      </span>
    ),
    error: isOver ? tooLong(max) : errors[path],
  }
  return rows === undefined ? (
    <TextField {...props} onChange={(event) => onChange(event.currentTarget.value)} />
  ) : (
    <TextArea {...props} minRows={rows} maxRows={16} onChange={(event) => onChange(event.currentTarget.value)} />
  )
}
