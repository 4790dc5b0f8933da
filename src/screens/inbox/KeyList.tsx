import { useTranslation } from 'react-i18next'
import { keyCaps } from '../../canvas/keyboard/chord'
import { KeyHint } from '../../ui/KeyHint'
import { Modal } from '../../ui/Modal'
import styles from './inbox.module.css'

const keys = [
  ['j', 'next'],
  ['k', 'previous'],
  ['r', 'reply'],
  ['n', 'note'],
  ['a', 'assign'],
  ['e', 'close'],
  ['/', 'search'],
  ['mod+p', 'print'],
  ['mod+k', 'all'],
  ['?', 'title'],
] as const

/** The keys of the inbox. */
export function KeyList() {
  const { t } = useTranslation('inbox')
  return (
    <dl className={styles.keys}>
      {keys.map(([key, name]) => (
        <div key={key}>
          <dt>
            <KeyHint keys={key === 'mod+k' || key === 'mod+p' ? keyCaps(key) : [key]} />
          </dt>
          <dd>{t(`keys.${name}`)}</dd>
        </div>
      ))}
    </dl>
  )
}

export function KeysDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('inbox')
  return (
    <Modal opened onClose={onClose} title={t('keys.title')} size="sm">
      <KeyList />
    </Modal>
  )
}
