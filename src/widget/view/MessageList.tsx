/** @jsxImportSource preact */
import { Fragment } from 'preact'
import { useState } from 'preact/hooks'
import type { ChatState, PendingMessage } from '../conversation'
import type { ChatTexts } from '../texts'
import type { BotMessage, ChatMessage, InputRequest, Look, Reply } from '../types'
import { Answer } from './Answer'
import { isPicture } from './address'
import { Below } from './Below'
import { type Answering, Carousel } from './Carousel'
import css from './chat.module.css'
import { initial } from './initial'
import look from './look.module.css'
import { Audio, Embed, Picture, Video } from './Media'
import { Notes } from './Notes'
import { Redirect } from './Redirect'
import { SentFiles } from './SentFiles'
import { isEmpty, Words } from './Words'

const USER = 2
type RichText = Extract<BotMessage, { kind: 'text' }>['text']

interface Surroundings {
  texts: ChatTexts
  /** messages after this number came while the chat was open: only these do something by themselves */
  liveAfter: number
  /** what is asked now; a carousel may be the place where it is answered */
  request: InputRequest | null
  busy: boolean
  /** whether a message may send the browser elsewhere */
  mayLeave: boolean
  /** what a visitor may have sent by its label */
  queries: Look['texts']['queries']
  onSend: (reply: Reply, label: string) => void
}

/** Messages of one author that are closer than this have one time. */
const GROUP_MS = 5 * 60_000

const endsGroup = (message: ChatMessage, next: ChatMessage | undefined): boolean =>
  next?.author !== message.author ||
  next.sender !== message.sender ||
  Date.parse(next.at) - Date.parse(message.at) > GROUP_MS

/** A predefined query is shown as its label, whatever it sends. */
function labelOfQuery(text: RichText, queries: Surroundings['queries']): string | null {
  const [line, ...more] = text
  const said = more.length === 0 ? line?.children.map((leaf) => leaf.text).join('') : undefined
  return queries.find(({ value }) => value !== '' && value === said)?.label ?? null
}

/** Messages in order; runs of one author stand together. */
export function MessageList(
  props: Surroundings &
    Pick<ChatState, 'draft' | 'drafted' | 'notes' | 'unreadFrom'> & {
      messages: ChatMessage[]
      pending: PendingMessage | null
      /** null: nothing can be said of messages */
      onRate: ((seq: number, helpful: boolean | null) => void) | null
      onRetry: () => void
    },
) {
  const { messages, notes, pending, draft, drafted, unreadFrom, texts, onRate, onRetry } = props
  const behind = (seq: number) => notes.filter(({ after }) => after === seq)
  const asking = messages.findLast((message) => message.content.kind === 'carousel')
  return (
    <>
      <Notes notes={behind(0)} />
      {messages.map((message, index) => {
        const before = messages[index - 1]
        const starts = before?.author !== message.author || before.sender !== message.sender
        const wide = message.content.kind === 'carousel'
        return (
          <Fragment key={message.seq}>
            {message.seq === unreadFrom && <p class={look.unread}>{texts.newMessages}</p>}
            <div
              class={`${message.author === USER ? css.user : css.bot} ${starts ? css.first : ''} ${wide ? css.wide : ''} ${message.seq === drafted ? css.still : ''}`}
            >
              {starts && message.sender && <Sender name={message.sender} picture={message.picture} />}
              <Content {...props} message={message} answering={message === asking ? answeringOf(props) : null} />
              <Below
                message={message}
                texts={texts}
                isLast={endsGroup(message, messages[index + 1])}
                onRate={onRate && ((helpful) => onRate(message.seq, helpful))}
              />
            </div>
            <Notes notes={behind(message.seq)} />
          </Fragment>
        )
      })}
      {pending && (
        <div class={`${css.user} ${css.first} ${pending.state === 'sending' ? css.sending : ''}`}>
          <div class={css.bubble}>
            <p>{pending.label}</p>
          </div>
          {pending.state === 'sending' ? (
            <p class={css.onItsWay} role="status">
              {texts.sending}
            </p>
          ) : (
            <p class={css.failed} role={pending.state === 'failed' ? 'alert' : 'status'}>
              {pending.state === 'failed' ? texts.notSent : texts.notSentYet}{' '}
              <button type="button" class={css.link} onClick={onRetry}>
                {texts.retry}
              </button>
            </p>
          )}
        </div>
      )}
      {draft && (
        // who listens to the page is told the answer once it is there
        <div class={`${css.bot} ${css.first} ${css.still}`} aria-hidden="true">
          <div class={css.bubble}>
            <Words text={draft} />
          </div>
        </div>
      )}
    </>
  )
}

/** The person who answers, instead of the bot. */
function Sender({ name, picture }: { name: string; picture: string | undefined }) {
  // one that was removed meanwhile, or that nothing answers for: the initial stands for it
  const [broken, setBroken] = useState(false)
  return (
    <p class={css.sender}>
      {picture && isPicture(picture) && !broken ? (
        <img src={picture} alt="" onError={() => setBroken(true)} />
      ) : (
        <span aria-hidden="true">{initial(name)}</span>
      )}
      <strong>{name}</strong>
    </p>
  )
}

function answeringOf({ request, busy, onSend }: Surroundings): Answering | null {
  if (request?.input !== 'choice' || request.shown !== 'cards') return null
  return { optionIds: new Set(request.options.map(({ id }) => id)), busy, onSend }
}

function Content(props: Surroundings & { message: ChatMessage; answering: Answering | null }) {
  const { texts, message, answering } = props
  const { content } = message
  switch (content.kind) {
    case 'text':
      // a skip stands in the conversation as an empty text
      if (message.author === USER && isEmpty(content.text)) return <p class={css.skipped}>{texts.skipped}</p>
      if (message.author === USER) {
        const label = labelOfQuery(content.text, props.queries)
        if (label !== null) {
          return (
            <div class={css.bubble}>
              <p>{label}</p>
            </div>
          )
        }
      }
      return (
        <div class={css.bubble}>
          <Words text={content.text} />
        </div>
      )
    case 'answer':
      return <Answer {...content} texts={texts} />
    case 'image':
      return <Picture {...content} texts={texts} enlarges />
    case 'video':
      return <Video {...content} texts={texts} />
    case 'audio':
      return <Audio {...content} texts={texts} />
    case 'embed':
      return <Embed {...content} texts={texts} />
    case 'carousel':
      return <Carousel items={content.items} answering={answering} texts={texts} />
    case 'files':
      return <SentFiles files={content.files} ofTeam={message.author !== USER} />
    case 'redirect':
      return <Redirect {...content} live={props.mayLeave && message.seq > props.liveAfter} texts={texts} />
  }
}
