import { Hourglass } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { InboxConversation } from '../../../server/contracts/inbox'
import { formatMoment } from '../../i18n/format'
import { formatTime, type TimeLeft } from './due'
import styles from './inbox.module.css'
import { visitorName } from './names'

/** What is left of the window is pressing from here on. */
const SOON_MS = 2 * 60 * 60_000

/** How long the visitor's channel takes answers; once it is over, what has to happen first. */
export function ReplyWindow({ conversation, left }: { conversation: InboxConversation; left: TimeLeft }) {
  const { t } = useTranslation('inbox')
  const name = visitorName(conversation, t)
  if (left.isOver)
    return (
      <p className={styles.windowOver} role="status">
        {t('reply.windowOver', { name })}
      </p>
    )
  const at = formatMoment(conversation.window_ends ?? '')
  return (
    <span
      className={styles.sign}
      data-tone={left.ms < SOON_MS ? 'warning' : undefined}
      title={t('reply.windowTitle', { at, name })}
    >
      <Hourglass size={12} aria-hidden />
      <span>{t('reply.windowIn', { time: formatTime(left) })}</span>
    </span>
  )
}
