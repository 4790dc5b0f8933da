import { Bot, ChevronsUp, CircleCheck, Clock, Hourglass } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { InboxEntry, InboxLabel } from '../../../server/contracts/inbox'
import { formatMoment, formatNumber, formatRecent } from '../../i18n/format'
import { Avatar } from '../../ui/Avatar'
import { Badge } from '../../ui/Badge'
import { DueSign } from './DueSign'
import styles from './inbox.module.css'
import { LabelDot } from './LabelDot'
import { colorOf, visitorName } from './names'
import { PersonFace } from './PersonFace'
import type { Others } from './usePresence'

interface ListRowProps {
  entry: InboxEntry
  labels: readonly InboxLabel[]
  isOpen: boolean
  isChosen: boolean
  /** others are chosen: the boxes show */
  isChoosing: boolean
  others: Others
  onOpen: () => void
  /** null: nothing may be changed */
  onChoose: ((isChosen: boolean) => void) | null
}

export function ListRow({ entry, labels, isOpen, isChosen, isChoosing, others, onOpen, onChoose }: ListRowProps) {
  const { t } = useTranslation('inbox')
  const name = visitorName(entry, t)
  const { last, status, assignee } = entry
  const own = labels.filter(({ gid }) => entry.labels.includes(gid))
  const by = last?.by === 'visitor' ? '' : `${last?.by === 'bot' ? t('bot') : t('team')}: `
  return (
    <div
      className={styles.row}
      data-open={isOpen || undefined}
      data-unread={entry.unread > 0 || undefined}
      data-choosing={isChoosing || undefined}
    >
      <span className={styles.rowFace}>
        <Avatar name={name} color={colorOf(entry.gid)} size={30} />
        {onChoose && (
          <input
            type="checkbox"
            className={styles.check}
            aria-label={t('choose', { name })}
            checked={isChosen}
            onChange={(event) => onChoose(event.currentTarget.checked)}
          />
        )}
      </span>
      <button type="button" className={styles.rowOpen} aria-current={isOpen ? 'true' : undefined} onClick={onOpen}>
        <span className={styles.rowTop}>
          <span className={styles.rowName}>{name}</span>
          {last && (
            <time dateTime={last.at} title={formatMoment(last.at)}>
              {formatRecent(last.at)}
            </time>
          )}
        </span>
        <span className={styles.rowText}>
          {others.visitorTypes ? <em>{t('typing')}</em> : last ? `${by}${last.text}` : t('noMessage')}
        </span>
        <span className={styles.rowFoot}>
          {entry.due && !entry.snoozed_until ? (
            <DueSign due={entry.due} />
          ) : (
            <Status status={status} snoozed={entry.snoozed_until} waiting={entry.waiting_since} />
          )}
          {assignee && <PersonFace person={assignee} size={16} />}
          <span className={styles.rowWho}>{assignee ? assignee.name : entry.chatbot.name}</span>
          {entry.chatbot.sample && <Badge tone="warning">{t('sample')}</Badge>}
          {entry.priority > 0 && (
            <span className={styles.priority} data-priority={entry.priority}>
              <ChevronsUp size={12} aria-hidden />
              {t(`priority.${entry.priority as 1 | 2 | 3}`)}
            </span>
          )}
          {own.map(({ gid, name: label, colour }) => (
            <span key={gid} className={styles.rowLabel} title={label}>
              <LabelDot colour={colour} />
            </span>
          ))}
          {entry.unread > 0 && (
            <span className={styles.unread}>
              <span aria-hidden>{formatNumber(entry.unread)}</span>
              <span className={styles.hidden}>{t('unread', { count: entry.unread })}</span>
            </span>
          )}
        </span>
      </button>
    </div>
  )
}

function Status(props: { status: InboxEntry['status']; snoozed: string | null; waiting: string | null }) {
  const { t } = useTranslation('inbox')
  const { status, snoozed, waiting } = props
  if (status === 'closed') return <Sign icon={<CircleCheck size={12} />} text={t('status.closed')} />
  if (snoozed) return <Sign icon={<Clock size={12} />} text={t('status.snoozed')} />
  if (waiting) return <Sign icon={<Hourglass size={12} />} text={t('status.waiting')} tone="warning" />
  if (status === 'bot') return <Sign icon={<Bot size={12} />} text={t('status.bot')} />
  return null
}

const Sign = ({ icon, text, tone }: { icon: React.ReactNode; text: string; tone?: string }) => (
  <span className={styles.sign} data-tone={tone}>
    {icon}
    <span>{text}</span>
  </span>
)
