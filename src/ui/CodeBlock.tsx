import { Copy } from 'lucide-react'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './CodeBlock.module.css'
import { IconButton } from './IconButton'
import { notify } from './notify'

/** Lines of code to be taken elsewhere: shown as they are, copied by a button. */
export function CodeBlock({ label, code }: { label: string; code: string }) {
  const { t } = useTranslation()
  const lines = useRef<HTMLPreElement>(null)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(code)
      notify.success(t('copy.done'))
    } catch {
      // a page that is not served over https has no clipboard
      if (lines.current) getSelection()?.selectAllChildren(lines.current)
      notify.neutral(t('copy.failed'))
    }
  }
  return (
    <div className={styles.block}>
      <pre ref={lines} className={styles.code}>
        {code}
      </pre>
      <div className={styles.copy}>
        <IconButton
          size="s"
          design="bordered"
          label={t('copy.what', { what: label })}
          icon={<Copy />}
          onClick={() => void copy()}
        />
      </div>
    </div>
  )
}
