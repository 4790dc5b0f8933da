import { ChevronRight, Info, StickyNote } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { readMentions } from '../../../engine/values/mentions'
import type {
  InboxActivity,
  InboxConversation,
  InboxMessage,
  InboxNote,
  InboxSetup,
  InboxTurn,
} from '../../../server/contracts/inbox'
import { formatMoment, formatNumber } from '../../i18n/format'
import { Avatar } from '../../ui/Avatar'
import { Offer } from './content/Offer'
import { DebugDialog } from './DebugDialog'
import styles from './inbox.module.css'
import { MessageItem, OwnReplyItem } from './MessageItem'
import type { ThreadItem } from './thread'
import type { Replies } from './useReplies'
import type { Translations } from './useTranslations'

interface ThreadItemsProps {
  items: readonly ThreadItem[]
  conversation: InboxConversation
  setup: InboxSetup
  replies: Replies
  translations: Translations
}

/** Everything in a conversation, in order. */
export function ThreadItems({ items, conversation, setup, replies, translations }: ThreadItemsProps) {
  const [debugged, setDebugged] = useState<Pick<InboxMessage, 'of' | 'seq'> | null>(null)
  const last = items.findLast((item) => item.kind === 'message')?.message
  return (
    <>
      <ol className={styles.items}>
        {items.map((item) => (
          <li key={item.key}>
            {item.kind === 'message' ? (
              <MessageItem
                message={item.message}
                starts={item.starts}
                conversation={conversation}
                translations={item.message.sender?.gid === setup.me ? null : translations}
                reading={
                  item.message !== last || item.message.author === 2 || item.message.of
                    ? null
                    : conversation.visitor_unread === 0
                      ? 'seen'
                      : 'sent'
                }
                onDebug={() => setDebugged(item.message)}
              />
            ) : item.kind === 'note' ? (
              <NoteItem note={item.note} setup={setup} />
            ) : item.kind === 'activity' ? (
              <ActivityItem activity={item.activity} />
            ) : item.kind === 'offer' ? (
              <Offer offered={item.offered} said={item.said} />
            ) : item.kind === 'source' ? (
              <SourceItem of={item.of} conversation={conversation} />
            ) : (
              <TurnItem turn={item.turn} />
            )}
          </li>
        ))}
        {replies.shown.map((reply) => (
          <li key={reply.clientId}>
            <OwnReplyItem reply={reply} replies={replies} />
          </li>
        ))}
      </ol>
      {debugged !== null && (
        <DebugDialog conversation={conversation} message={debugged} onClose={() => setDebugged(null)} />
      )}
    </>
  )
}

/** Where what was said in another conversation begins. */
function SourceItem({ of, conversation }: { of: string | undefined; conversation: InboxConversation }) {
  const { t } = useTranslation('inbox')
  const merged = conversation.merged.find(({ gid }) => gid === of)
  return (
    <p className={styles.ended}>
      {of === undefined
        ? t('merge.here')
        : merged
          ? t('merge.from', { at: formatMoment(merged.at) })
          : t('merge.fromOther')}
    </p>
  )
}

/** For colleagues only. */
function NoteItem({ note, setup }: { note: InboxNote; setup: InboxSetup }) {
  const { t } = useTranslation('inbox')
  const nameOf = (gid: string) => setup.members.find((member) => member.gid === gid)?.name ?? t('formerMember')
  return (
    <div className={styles.note}>
      <p className={styles.noteHead}>
        <StickyNote size={13} aria-hidden />
        {note.picture && <Avatar name={note.by} picture={note.picture} size={18} />}
        <strong>{t('noteBy', { name: note.by })}</strong>
        <time dateTime={note.at}>{formatMoment(note.at)}</time>
      </p>
      <p className={styles.noteBody}>{readMentions(note.body, nameOf)}</p>
    </div>
  )
}

/** Whether what is told of an activity is a time. */
const isMoment = (kind: InboxActivity['kind']): boolean =>
  ['snoozed', 'booked', 'booking_moved', 'booking_canceled'].includes(kind)

function ActivityItem({ activity }: { activity: InboxActivity }) {
  const { t } = useTranslation('inbox')
  const { kind, by, subject, detail, at } = activity
  const isOwn = kind === 'assigned' && by !== null && by === subject
  const text = isOwn
    ? t('activity.tookOver', { by })
    : t(kind === 'unsupported' && detail ? 'activity.unsupportedKind' : `activity.${kind}`, {
        by: by ?? t('system'),
        subject: subject ?? t('formerMember'),
        detail: isMoment(kind) && detail ? formatMoment(detail) : kind === 'priority' ? priorityOf(detail) : detail,
      })
  function priorityOf(value: string | null) {
    const level = (['0', '1', '2', '3'] as const).find((one) => one === value) ?? '0'
    return t(`priority.${level}`)
  }
  return (
    <p className={styles.activity}>
      <Info size={12} aria-hidden />
      <span>{text}</span>
      <time dateTime={at}>{formatMoment(at)}</time>
    </p>
  )
}

/** The blocks that a turn of the bot went through, folded. */
function TurnItem({ turn }: { turn: InboxTurn }) {
  const { t } = useTranslation('inbox')
  const { t: kinds } = useTranslation('blocks')
  const [isOpen, setOpen] = useState(false)
  if (turn.steps.length === 0) return null
  return (
    <div className={styles.turn}>
      <button type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <ChevronRight size={12} aria-hidden />
        {t('steps', { count: turn.steps.length })}
        {turn.took !== null && ` · ${t('took', { ms: formatNumber(turn.took) })}`}
      </button>
      {isOpen && (
        <ol>
          {turn.steps.map(({ kind }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the steps of a turn never change
            <li key={index}>{kinds(`${kind}.title`, { defaultValue: kind })}</li>
          ))}
        </ol>
      )}
    </div>
  )
}
