import { Braces, SendHorizontal } from 'lucide-react'
import { Fragment, type ReactNode, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import type { InputRequest, SentReply } from '../../../engine/flow/conversation'
import type { ChatMessage } from '../../../server/contracts/chat'
import { IconButton } from '../../ui/IconButton'
import type { ChatNote, ChatSession } from '../../widget/conversation'
import type { Debugger } from '../debugger'
import { answersOf, type Bubble, bubblesOf, exampleDate, missesOptions, replyOf, whatsappCaps } from './look'
import { Requests } from './Requests'
import css from './whatsapp.module.css'

interface WhatsAppChatProps {
  session: ChatSession
  bug: Debugger
  name: string
}

/** The conversation in WhatsApp's look, as far as its rules matter to flow editors, or as the calls that send it. */
export function WhatsAppChat({ session, bug, name }: WhatsAppChatProps) {
  const { t } = useTranslation('preview')
  const state = useSyncExternalStore(session.subscribe, session.state)
  const log = useRef<HTMLDivElement>(null)
  const [asJson, setAsJson] = useState(false)
  const { messages, notes, pending, request, ended } = state
  const behind = (seq: number) => notes.filter(({ after }) => after === seq)
  const [toEnd] = useState(() => () => {
    if (log.current) log.current.scrollTop = log.current.scrollHeight
  })
  useEffect(() => {
    if (!log.current) return
    const resized = new ResizeObserver(toEnd)
    resized.observe(log.current)
    return () => resized.disconnect()
  }, [toEnd])
  // biome-ignore lint/correctness/useExhaustiveDependencies: whatever was added, its end is shown
  useEffect(toEnd, [messages, notes, pending, request, ended, asJson])
  const send = (reply: SentReply, label: string) => void session.send(reply, label)
  const asked = ended || pending ? null : request
  return (
    <section className={css.chat} aria-label={t('whatsapp.label')}>
      <header className={css.header}>
        <span aria-hidden="true">{name.slice(0, 1).toUpperCase()}</span>
        {name}
        <button type="button" className={css.asJson} aria-pressed={asJson} onClick={() => setAsJson(!asJson)}>
          <Braces size={14} aria-hidden />
          {t('whatsapp.json')}
        </button>
      </header>
      {asJson && <Requests session={session} bug={bug} />}
      <div
        className={css.log}
        ref={log}
        role="log"
        aria-label={t('whatsapp.label')}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
        tabIndex={0}
        hidden={asJson}
        onLoadCapture={toEnd}
      >
        <Notes notes={behind(0)} />
        {messages.map((message) => (
          <Fragment key={message.seq}>
            <Message message={message} />
            <Notes notes={behind(message.seq)} />
          </Fragment>
        ))}
        {pending && <p className={css.mine}>{pending.label}</p>}
        {asked && <Answers request={asked} onSend={send} />}
        {asked?.input === 'text' && asked.toTeam && <ToTeam {...asked.toTeam} />}
        {ended && <p className={css.note}>{t('whatsapp.ended')}</p>}
      </div>
      {asked && asked.input !== 'wait' && asked.input !== 'file' && (
        <Composer
          key={messages.at(-1)?.seq ?? 0}
          request={asked}
          refusal={state.refusal}
          onSend={(text) => send(replyOf(text, asked), text)}
        />
      )}
    </section>
  )
}

/** The state of a conversation that was handed over. */
function ToTeam({ delivery, email }: NonNullable<Extract<InputRequest, { input: 'text' }>['toTeam']>) {
  const { t } = useTranslation('preview')
  const said = delivery !== 'mail' ? 'kept' : email === undefined ? 'noEmail' : 'sent'
  return <p className={css.note}>{t(`whatsapp.toTeam.${said}`, { email })}</p>
}

function Notes({ notes }: { notes: readonly ChatNote[] }) {
  return notes.map(({ id, text, details, more }) => (
    <details key={id} className={css.note}>
      <summary>{text}</summary>
      {details.map(([label, value]) => (
        <div key={label}>
          {label}: {value}
        </div>
      ))}
      {more && (
        <button type="button" onClick={more.run}>
          {more.label}
        </button>
      )}
    </details>
  ))
}

const Message = ({ message: { author, content } }: { message: ChatMessage }) =>
  // biome-ignore lint/suspicious/noArrayIndexKey: parts of one message, which does not change
  bubblesOf(content).map((bubble, at) => <Shown key={at} bubble={bubble} mine={author === 2} />)

function Shown({ bubble: { text, media, isCut }, mine }: { bubble: Bubble; mine: boolean }) {
  const { t } = useTranslation('preview')
  if (text === '' && !media) return null
  return (
    <>
      <div className={mine ? css.mine : css.theirs}>
        {media?.kind === 'image' && <img src={media.url} alt={text} />}
        {media && media.kind !== 'image' && (
          <a href={media.url} target="_blank" rel="noreferrer">
            {media.url}
          </a>
        )}
        {text !== '' && <p>{formatted(text)}</p>}
      </div>
      {isCut && <p className={css.note}>{t('whatsapp.cutCaption', { count: whatsappCaps.caption })}</p>}
    </>
  )
}

/** The buttons below the last message, or the list that replaces too many. */
function Answers({ request, onSend }: { request: InputRequest; onSend: (reply: SentReply, label: string) => void }) {
  const { t } = useTranslation('preview')
  const { buttons, rows, list, links, several } = answersOf(request)
  const mayskip = request.input === 'choice' ? request.skippable === true : 'required' in request && !request.required
  const cut = buttons.filter(({ label, full }) => label !== full)
  return (
    <>
      {list.length > 0 && (
        <div className={css.theirs}>
          <p>{[t(several ? 'whatsapp.chooseSeveral' : 'whatsapp.choose'), ...list].join('\n')}</p>
        </div>
      )}
      {request.input === 'form' && (
        <div className={css.theirs}>
          <p>{request.fields.map(({ label }) => t('whatsapp.form', { label })).join('\n')}</p>
        </div>
      )}
      {request.input === 'date' && <p className={css.note}>{t('whatsapp.date', { example: exampleDate(request) })}</p>}
      {request.input === 'wait' && <div className={css.theirs}>{t('whatsapp.waiting')}</div>}
      {request.input === 'file' && <p className={css.note}>{t('whatsapp.file')}</p>}
      {links.length > 0 && (
        <div className={css.links}>
          {links.map(({ label, url }) => (
            <a key={`${label} ${url}`} href={url} target="_blank" rel="noreferrer">
              {label}
            </a>
          ))}
        </div>
      )}
      {rows.length > 0 && (
        <details className={css.list}>
          <summary>{t('whatsapp.open')}</summary>
          <div className={css.rows}>
            {rows.map(({ label, full, reply }, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two may be called the same
              <button key={at} type="button" title={full} onClick={() => onSend(reply, full)}>
                {label}
              </button>
            ))}
          </div>
        </details>
      )}
      {(buttons.length > 0 || mayskip) && (
        <div className={css.buttons}>
          {buttons.map(({ label, full, reply }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two may be called the same
            <button key={at} type="button" title={full} onClick={() => onSend(reply, full)}>
              {label}
            </button>
          ))}
          {mayskip && (
            <button type="button" onClick={() => onSend({ type: 'skip' }, '')}>
              {t('whatsapp.skip')}
            </button>
          )}
        </div>
      )}
      {cut.map(({ full }) => (
        <p key={full} className={css.note}>
          {t('whatsapp.cut', { count: whatsappCaps.label, label: full })}
        </p>
      ))}
    </>
  )
}

/** @param refusal the server's error for the last reply */
function Composer(props: { request: InputRequest; refusal: string | null; onSend: (text: string) => void }) {
  const { request, refusal, onSend } = props
  const { t } = useTranslation('preview')
  const [text, setText] = useState('')
  const [misses, setMisses] = useState(false)
  const several = request.input === 'form'
  const problem = misses ? t('whatsapp.notOption') : refusal
  return (
    <form
      className={css.composer}
      onSubmit={(event) => {
        event.preventDefault()
        const words = text.trim()
        if (words === '') return
        setMisses(missesOptions(words, request))
        if (!missesOptions(words, request)) onSend(words)
      }}
    >
      {problem && (
        <p className={css.problem} role="alert">
          {problem}
        </p>
      )}
      <textarea
        rows={several ? 3 : 1}
        aria-label={t('whatsapp.message')}
        placeholder={t('whatsapp.message')}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.shiftKey || several || event.nativeEvent.isComposing) return
          event.preventDefault()
          event.currentTarget.form?.requestSubmit()
        }}
      />
      <IconButton
        type="submit"
        label={t('whatsapp.send')}
        icon={<SendHorizontal size={16} />}
        disabled={text.trim() === ''}
      />
    </form>
  )
}

/** Renders WhatsApp's `*bold*` and `_italic_`. */
function formatted(text: string): ReactNode {
  return text.split(/(\*[^*\n]+\*|_[^_\n]+_)/).map((part, at) => {
    const inner = part.slice(1, -1)
    const drawn = at % 2 === 0 ? part : part.startsWith('*') ? <b>{formatted(inner)}</b> : <i>{formatted(inner)}</i>
    // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text
    return <Fragment key={at}>{drawn}</Fragment>
  })
}
