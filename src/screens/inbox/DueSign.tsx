import { AlarmClock } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { InboxEntry } from '../../../server/contracts/inbox'
import { formatMoment } from '../../i18n/format'
import { formatTime, timeLeft } from './due'
import styles from './inbox.module.css'
import { useNow } from './useNow'

/** What is due within this time is pressing. */
const SOON_MS = 10 * 60_000

/** How long there is for what is due next; from then on, for how long it has been overdue. */
export function DueSign({ due: { what, at } }: { due: NonNullable<InboxEntry['due']> }) {
  const { t } = useTranslation('inbox')
  const left = timeLeft(at, useNow())
  const time = formatTime(left)
  return (
    <span
      className={styles.sign}
      data-tone={left.isOver ? 'danger' : left.ms < SOON_MS ? 'warning' : undefined}
      title={formatMoment(at)}
    >
      <AlarmClock size={12} aria-hidden />
      <span>{t(`due.${what}${left.isOver ? 'Over' : 'In'}`, { time })}</span>
    </span>
  )
}
