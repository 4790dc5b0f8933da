import { Copy } from 'lucide-react'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './CopyField.module.css'
import { IconButton } from './IconButton'
import { notify } from './notify'
import { TextField } from './TextField'

/** A read-only value for copying: selected by a click, copied by a button. */
export function CopyField({ label, value, hideLabel }: { label: string; value: string; hideLabel?: boolean }) {
  const { t } = useTranslation()
  const field = useRef<HTMLInputElement>(null)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(value)
      notify.success(t('copy.done'))
    } catch {
      // without https there is no clipboard
      field.current?.focus()
      notify.neutral(t('copy.failed'))
    }
  }
  return (
    <div className={styles.field}>
      <TextField
        ref={field}
        {...(hideLabel ? { 'aria-label': label } : { label })}
        value={value}
        readOnly
        onFocus={(event) => event.currentTarget.select()}
      />
      <IconButton
        label={t('copy.what', { what: label })}
        icon={<Copy />}
        design="bordered"
        onClick={() => void copy()}
      />
    </div>
  )
}
