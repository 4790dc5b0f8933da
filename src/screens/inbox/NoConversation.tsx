import { MessagesSquare } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../ui/EmptyState'
import { KeyHint } from '../../ui/KeyHint'
import styles from './inbox.module.css'

/** Shown beside the list while no conversation is open: the keys. */
export function NoConversation() {
  const { t } = useTranslation('inbox')
  const keys = [
    ['j', 'next'],
    ['k', 'previous'],
    ['r', 'reply'],
    ['a', 'assign'],
    ['e', 'close'],
    ['/', 'search'],
  ] as const
  return (
    <section className={`${styles.thread} ${styles.nothing}`} aria-label={t('conversation')}>
      <EmptyState
        icon={<MessagesSquare />}
        title={t('nothingOpen')}
        action={
          <dl className={styles.keys}>
            {keys.map(([key, name]) => (
              <div key={key}>
                <dt>
                  <KeyHint keys={[key]} />
                </dt>
                <dd>{t(`keys.${name}`)}</dd>
              </div>
            ))}
          </dl>
        }
      />
    </section>
  )
}
