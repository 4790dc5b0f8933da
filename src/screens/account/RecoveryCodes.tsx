import { Copy, Download } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../ui/Button'
import { downloadText } from '../../ui/downloadText'
import { ModalActions, ModalText } from '../../ui/Modal'
import { notify } from '../../ui/notify'
import styles from './account.module.css'

/** Recovery codes, which are shown this once. */
export function RecoveryCodes({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const { t } = useTranslation('account')
  const { t: common } = useTranslation()
  const text = `${codes.join('\n')}\n`
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      notify.success(common('copy.done'))
    } catch {
      // without https there is no clipboard
      notify.neutral(t('twoFactor.copyFailed'))
    }
  }
  return (
    <div className={styles.fields}>
      <ModalText>{t('twoFactor.codesHint')}</ModalText>
      <ol className={styles.codes} aria-label={t('twoFactor.codes')}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ol>
      <ModalActions>
        <Button icon={<Copy />} onClick={() => void copy()}>
          {t('twoFactor.copy')}
        </Button>
        <Button icon={<Download />} onClick={() => downloadText(text, 'parley-recovery-codes.txt', 'text/plain')}>
          {t('twoFactor.download')}
        </Button>
        <Button design="primary" onClick={onClose}>
          {t('twoFactor.kept')}
        </Button>
      </ModalActions>
    </div>
  )
}
