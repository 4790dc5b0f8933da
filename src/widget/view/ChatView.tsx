/** @jsxImportSource preact */
import { useEffect, useLayoutEffect, useReducer, useRef } from 'preact/hooks'
import type { ChatSession, ChatState } from '../conversation'
import { type ChatTexts, fill } from '../texts'
import type { SurveyTransport } from '../transport'
import type { InputRequest, Look, Reply } from '../types'
import type { ClosedProps } from './Closed'
import { Composer } from './Composer'
import css from './chat.module.css'
import { Footer } from './Footer'
import { Header } from './Header'
import { Later } from './Later'
import { LoadMore } from './LoadMore'
import { Parts, plainParts, TakesCursor, useLookStyle } from './lookContext'
import type { Scheme } from './lookStyle'
import { MessageList } from './MessageList'
import { Notice } from './Notice'
import { Teaser } from './Teaser'
import { Transcript } from './Transcript'
import { useRevealed } from './useRevealed'
import { useSeen } from './useSeen'
import { useSound } from './useSound'
import { useSurvey } from './useSurvey'
import { Welcome } from './Welcome'

export interface ChatViewProps {
  session: ChatSession
  name: string
  texts: ChatTexts
  paced: boolean
  header: boolean
  part: boolean
  takesCursor: boolean
  mayLeave: boolean
  /** null: the chat as it is drawn without one */
  look: Look | null
  /** instead of the look's, or of the visitor's system's */
  scheme: Scheme | null
  language: string
  survey?: SurveyTransport | undefined
  /** stands where visitors else write: outside of the hours */
  closed?: ClosedProps | undefined
  /** closes the chat, where something else stands around it */
  close?: { label: string; run: () => void } | undefined
}

const surveyPart = () => import('./Survey').then((part) => part.Survey)
const awayPart = () => import('./Away').then((part) => part.Away)
const phonePart = () => import('./OnWhatsapp').then((part) => part.OnWhatsapp)
const closedPart = () => import('./Closed').then((part) => part.Closed)

type ToTeamOf = Extract<InputRequest, { input: 'text' }>['toTeam']

/** px from the end that still count as being there */
const AT_END = 8

/** A whole chat: header, messages, and the input that the conversation waits for. */
export function ChatView(props: ChatViewProps) {
  const {
    session,
    name,
    texts,
    paced,
    header,
    part,
    takesCursor,
    mayLeave,
    look,
    scheme,
    language,
    survey,
    closed,
    close,
  } = props
  const [, refresh] = useReducer((count: number, _: undefined) => count + 1, 0)
  useEffect(() => {
    refresh(undefined)
    return session.subscribe(() => refresh(undefined))
  }, [session])
  const state = session.state()
  const { shown, typing: reveals } = useRevealed(state, paced)
  const typing = reveals || (state.request?.input === 'wait' && !state.ended)
  const busy = state.pending !== null
  useSeen(session)
  useSound(look?.parts.sounds ?? false, state)
  const onSend = (reply: Reply, label: string) => void session.send(reply, label)

  const asking = useSurvey(state, survey)

  const log = useScrolledToEnd(
    `${shown.length} ${typing} ${state.writer} ${state.pending?.state} ${state.messages.length} ${state.notes.length} ${state.ended} ${asking.open}`,
    state.draft,
    String(state.messages[0]?.seq ?? ''),
  )

  const style = useLookStyle(look, scheme)

  if (state.phase === 'gone' || state.phase === 'failed') {
    const onRetry = () => void session.open()
    return <Notice style={style} texts={texts} kind={state.phase} said={state.refusal} onRetry={onRetry} />
  }
  if (state.teaser) {
    const avatar = look?.brand.avatar ?? ''
    return <Teaser style={style} name={name} avatar={avatar} texts={texts} messages={shown} onOpen={session.unfold} />
  }
  const Frame = part ? 'div' : 'main'
  return (
    <TakesCursor.Provider value={takesCursor}>
      <Parts.Provider value={look?.parts ?? plainParts}>
        <Frame class={css.chat} style={style} onInput={session.typing}>
          {header && (
            <Header
              name={name}
              title={part ? 'h2' : 'h1'}
              look={look}
              texts={texts}
              onRestart={closed ? null : () => void session.restart()}
              close={close}
            />
          )}
          {header && look?.parts.transcript && session.can.transcript && state.messages.length > 0 && (
            <Transcript texts={texts} send={session.sendTranscript} />
          )}
          {header && look?.parts.whatsapp && session.can.whatsapp && state.messages.length > 0 && !closed && (
            <Later load={phonePart} given={{ texts, language, ask: session.askForWhatsapp }} />
          )}
          {!state.connected && (
            <p class={css.offline} role="status">
              {texts.offline}
            </p>
          )}
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
          <div class={css.log} ref={log} role="log" aria-live="polite" aria-label={texts.conversation} tabIndex={0}>
            {state.phase === 'loading' ? (
              <p class={css.loading} role="status">
                <span class={css.hidden}>{texts.loading}</span>
                <TypingDots />
              </p>
            ) : (
              <>
                {state.earlier ? (
                  <>
                    <LoadMore texts={texts} load={session.loadEarlier} />
                    {/* paper has the whole conversation, or says that it has not */}
                    <p class={css.paper}>{texts.failedText}</p>
                  </>
                ) : (
                  look && <Welcome look={look} name={name} />
                )}
                <MessageList
                  messages={shown}
                  notes={state.notes}
                  pending={state.pending}
                  draft={state.draft}
                  drafted={state.drafted}
                  texts={texts}
                  liveAfter={state.liveAfter}
                  request={state.ended ? null : state.request}
                  busy={busy || typing}
                  mayLeave={mayLeave}
                  queries={look?.texts.queries ?? []}
                  unreadFrom={state.unreadFrom}
                  onRate={session.can.rate ? (seq, helpful) => void session.rate(seq, helpful) : null}
                  onSend={onSend}
                  onRetry={() => void session.retry()}
                />
              </>
            )}
            {typing && (
              <p class={state.draft ? css.hidden : css.typing}>
                <span class={css.hidden}>{`${name} ${texts.typing}`}</span>
                {!state.draft && <TypingDots />}
              </p>
            )}
            {state.writer && !typing && (
              <p class={css.typing} role="status">
                <span class={css.hidden}>{`${state.writer} ${texts.typing}`}</span>
                <TypingDots />
              </p>
            )}
            {state.away && !typing && !state.ended && (
              <Later load={awayPart} given={{ away: state.away, texts, language }} />
            )}
            {state.before !== null && !state.away && !typing && !state.ended && (
              <p class={css.queue} role="status">
                {state.before > 0 ? fill(texts.before, { n: state.before }) : texts.nextInLine}
              </p>
            )}
            {state.request && 'toTeam' in state.request && state.request.toTeam && !typing && !state.ended && (
              <ToTeam {...state.request.toTeam} texts={texts} />
            )}
            {state.ended && !typing && (
              <div class={css.end}>
                <p>{texts.ended}</p>
                {!closed && (
                  <button type="button" class={css.secondary} onClick={() => void session.restart()}>
                    {texts.restart}
                  </button>
                )}
              </div>
            )}
            {survey && asking.open && !typing && (
              <Later
                load={surveyPart}
                given={{
                  settings: survey.settings,
                  texts,
                  language,
                  onAnswer: (answer) => survey.answer(answer).then(asking.markAnswered),
                  onClose: asking.close,
                }}
              />
            )}
          </div>
          {closed && <Later load={closedPart} given={closed} />}
          {state.phase === 'ready' && (!state.ended || state.request) && !closed && (
            <Composer
              request={state.request}
              question={questionOf(state)}
              hidden={typing || state.request === null}
              refusal={state.refusal}
              busy={busy}
              texts={texts}
              placeholder={look?.texts.placeholder ?? ''}
              queries={state.messages.some(({ author }) => author === 2) ? [] : (look?.texts.queries ?? [])}
              onSend={onSend}
              onUpload={session.upload}
            />
          )}
          {look && <Footer look={look} texts={texts} />}
        </Frame>
      </Parts.Provider>
    </TakesCursor.Provider>
  )
}

/** Names the question that is asked: while it is the same, what a visitor has entered stays, whatever else arrives. */
const questionOf = ({ messages, request }: ChatState): string =>
  `${messages.findLast(({ author }) => author === 2)?.seq ?? 0} ${JSON.stringify(request)}`

/**
 * Scrolls an element to its end whenever its content changes, and keeps it there when its size changes or the message
 * being written grows, unless the visitor has scrolled up.
 */
function useScrolledToEnd(content: string, growing: unknown, first: string) {
  const element = useRef<HTMLDivElement>(null)
  const drawn = useRef({ content: '', growing: null as unknown, height: 0, first: '' })
  useLayoutEffect(() => {
    const log = element.current
    if (!log) return
    const before = drawn.current
    drawn.current = { content, growing, height: log.scrollHeight, first }
    if (before.content === content && before.growing === growing) return
    const wasAtEnd = before.height - log.scrollTop - log.clientHeight < AT_END
    if (before.first !== '' && before.first !== first && before.height > 0) {
      // what came in above leaves what is read where it is
      log.scrollTop += log.scrollHeight - before.height
    } else if (before.content !== content || wasAtEnd) log.scrollTop = log.scrollHeight
  })
  useEffect(() => {
    const log = element.current
    if (!log) return
    let height = log.clientHeight
    const observer = new ResizeObserver(() => {
      const wasAtEnd = log.scrollHeight - log.scrollTop - height < AT_END
      height = log.clientHeight
      if (wasAtEnd) log.scrollTop = log.scrollHeight
    })
    observer.observe(log)
    return () => observer.disconnect()
  }, [])
  return element
}

/** What has become of a conversation that was handed to people. */
function ToTeam({ delivery, email, texts }: NonNullable<ToTeamOf> & { texts: ChatTexts }) {
  const sent = email === undefined ? texts.sentNoEmail : fill(texts.sentToTeam, { email })
  return (
    <div class={css.end}>
      <p>
        <span>{delivery === 'mail' ? sent : texts.keptForTeam}</span>
      </p>
    </div>
  )
}

const TypingDots = () => (
  <span class={css.dots} aria-hidden="true">
    <i />
    <i />
    <i />
  </span>
)
