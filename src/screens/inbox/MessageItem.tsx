import { useMutation } from '@tanstack/react-query'
import { Check, CheckCheck, Clock, File, Undo2 } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { markdownText } from '../../../engine/values/markdown'
import { sendAgain } from '../../../server/contracts/conversations'
import type { InboxConversation, InboxMessage } from '../../../server/contracts/inbox'
import { callRoute } from '../../api/client'
import { failureText } from '../../api/failure'
import { formatBytes, formatMoment, formatRecent } from '../../i18n/format'
import { Avatar } from '../../ui/Avatar'
import { Badge } from '../../ui/Badge'
import { Button } from '../../ui/Button'
import { notify } from '../../ui/notify'
import { Words } from './content/Words'
import styles from './inbox.module.css'
import { useInboxPlace } from './inboxPlace'
import { MessageContent } from './MessageContent'
import { colorOf, visitorName } from './names'
import { messageKey } from './thread'
import type { OwnReply, Replies } from './useReplies'
import type { Translations } from './useTranslations'

interface MessageItemProps {
  message: InboxMessage
  /** it begins what its author says */
  starts: boolean
  conversation: InboxConversation
  /** null: one's own are not translated */
  translations: Translations | null
  /** of our side's last message: whether the visitor has read it */
  reading: 'seen' | 'sent' | null
  onDebug: () => void
}

/** A message as the visitor saw it; of the bot's one can see how it came about. */
export function MessageItem({ message, starts, conversation, translations, reading, onDebug }: MessageItemProps) {
  const { t } = useTranslation('inbox')
  const { author, sender, at, helpful, delivery } = message
  const who = author === 2 ? 'visitor' : sender ? 'person' : 'bot'
  const name = author === 2 ? visitorName(conversation, t) : (sender?.name ?? conversation.chatbot.name)
  return (
    <div className={styles.message} data-who={who} data-starts={starts || undefined}>
      {starts && (
        <p className={styles.who}>
          <Avatar
            name={name}
            color={colorOf(sender?.gid ?? (author === 2 ? conversation.gid : 'bot'))}
            picture={sender?.picture}
            size={20}
          />
          <span>{name}</span>
          {who === 'bot' && <Badge>{t('bot')}</Badge>}
          <time dateTime={at} title={formatMoment(at)}>
            {formatRecent(at)}
          </time>
        </p>
      )}
      <div
        className={styles.bubble}
        data-deleted={isDeleted(message) || undefined}
        data-bare={BARE.has(message.content.kind) || undefined}
      >
        <MessageContent content={message.content} />
        <Changed content={message.content} />
        {typeof translations?.texts[messageKey(message)] === 'string' && (
          <p className={styles.translation}>{translations.texts[messageKey(message)]}</p>
        )}
      </div>
      {message.reaction && (
        <span className={styles.reaction} role="img" aria-label={t('reaction', { emoji: message.reaction })}>
          {message.reaction}
        </span>
      )}
      <p className={styles.below}>
        {typeof helpful === 'boolean' && (
          <Badge tone={helpful ? 'success' : 'warning'}>{t(helpful ? 'helpful' : 'notHelpful')}</Badge>
        )}
        {translations && <Translate message={message} translations={translations} />}
        {message.corrected && <Corrected {...message.corrected} />}
        {who === 'bot' && (
          <button type="button" className={styles.why} onClick={onDebug}>
            {t('why')}
          </button>
        )}
        {delivery && <Delivered status={delivery.status} />}
        {delivery?.status === 'dead' && <Undelivered message={message} conversation={conversation} />}
        {reading === 'sent' && !delivery && (
          <span className={styles.seen}>
            <Check size={12} aria-hidden /> {t('sent')}
          </span>
        )}
        {reading === 'seen' && (
          <span className={styles.seen}>
            <CheckCheck size={12} aria-hidden /> {t('seen')}
          </span>
        )}
      </p>
    </div>
  )
}

/** What stands by itself in the chat, in no bubble. */
const BARE: ReadonlySet<string> = new Set(['image', 'video', 'audio', 'carousel', 'embed'])

const isDeleted = ({ content }: InboxMessage) => 'changed' in content && content.changed?.type === 'deleted'

/** What the visitor did to it later. */
function Changed({ content }: Pick<InboxMessage, 'content'>) {
  const { t } = useTranslation('inbox')
  const changed = 'changed' in content ? content.changed : undefined
  if (!changed) return null
  const text = changed.type === 'deleted' ? t('changed.deleted') : t('changed.edited', { before: changed.before })
  return <p className={styles.changed}>{text}</p>
}

/** Has one message translated, unless it is. */
function Translate({ message, translations }: { message: InboxMessage; translations: Translations }) {
  const { t } = useTranslation('inbox')
  const { model, texts } = translations
  const { content } = message
  const key = messageKey(message)
  if (!model || (content.kind !== 'text' && content.kind !== 'answer') || typeof texts[key] === 'string') return null
  if (texts[key] === null) return <span>{t('translation.none')}</span>
  return translations.isBusy(message) ? (
    <span>{t('translation.busy')}</span>
  ) : (
    <button type="button" className={styles.why} onClick={() => translations.translate(message)}>
      {t('translation.one')}
    </button>
  )
}

/** Who taught the bot better, and what. */
function Corrected({ by, source }: NonNullable<InboxMessage['corrected']>) {
  const { t } = useTranslation('inbox')
  const { pgid } = useInboxPlace()
  const text = t('corrected', { by: by || t('formerMember') })
  if (!source) return <Badge tone="success">{text}</Badge>
  return (
    <Link to={`/projects/${pgid}/chatbots/${source.chatbot}/data-sources/${source.gid}`} title={t('correctedSource')}>
      <Badge tone="success">{text}</Badge>
    </Link>
  )
}

const MARKS = { due: Clock, sent: Check, delivered: CheckCheck, read: CheckCheck }

/** How far a message has come, on a channel that says so. */
function Delivered({ status }: Pick<NonNullable<InboxMessage['delivery']>, 'status'>) {
  const { t } = useTranslation('inbox')
  if (status === 'dead') return null
  const Mark = MARKS[status]
  return (
    <span className={styles.seen} data-delivery={status}>
      <Mark size={12} aria-hidden /> {t(`delivery.${status}`)}
    </span>
  )
}

function Undelivered({ message, conversation }: Pick<MessageItemProps, 'message' | 'conversation'>) {
  const { t } = useTranslation('inbox')
  const { pgid } = useInboxPlace()
  const { chatbot, gid } = conversation
  const again = useMutation({
    mutationFn: () =>
      callRoute(sendAgain, { params: { pgid, cgid: chatbot.gid, conversation: message.of ?? gid, seq: message.seq } }),
    onError: (error) => notify.error(failureText(error, t('failed'))),
  })
  return (
    <span className={styles.problem}>
      {t('delivery.dead', { reason: message.delivery?.reason ?? '' })}
      <Button size="s" loading={again.isPending} onClick={() => again.mutate()}>
        {t('delivery.again')}
      </Button>
    </span>
  )
}

/** One's own answer before it is among the messages. */
export function OwnReplyItem({ reply, replies }: { reply: OwnReply; replies: Replies }) {
  const { t } = useTranslation('inbox')
  const { clientId, text, files, state, problem, code } = reply
  return (
    <div className={styles.message} data-who="person" data-state={state}>
      <div className={styles.bubble}>
        {text && <Words text={markdownText(text)} />}
        {files.length > 0 && (
          <ul className={styles.files}>
            {files.map(({ id, name, size }) => (
              <li key={id}>
                <File size={14} aria-hidden /> {name} <span>{formatBytes(size)}</span>
              </li>
            ))}
          </ul>
        )}
      </div>
      {state === 'held' && (
        <p className={styles.below} role="status">
          {t('reply.held')}
          <Button size="s" design="ghost" icon={<Undo2 size={13} />} onClick={() => replies.takeBack(clientId)}>
            {t('reply.undo')}
          </Button>
        </p>
      )}
      {state === 'sending' && <p className={styles.below}>{t('reply.sending')}</p>}
      {state === 'failed' && (
        <p className={styles.below} role="alert">
          <span className={styles.problem}>{problem}</span>
          <Button size="s" onClick={() => replies.again(clientId)}>
            {code === 'conversation_closed'
              ? t('reply.reopen')
              : code === 'colleague_answered'
                ? t('reply.anyway')
                : t('reply.again')}
          </Button>
          <Button size="s" design="ghost" onClick={() => replies.takeBack(clientId)}>
            {t('reply.edit')}
          </Button>
        </p>
      )}
    </div>
  )
}
