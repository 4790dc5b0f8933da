/** @jsxImportSource preact */
import { useEffect, useLayoutEffect, useReducer, useRef, useState } from 'preact/hooks'
import type { ChatSession, ChatState } from '../conversation'
import { type ChatTexts, fill } from '../texts'
import type { InputRequest, Reply } from '../types'
import { Composer } from './Composer'
import css from './chat.module.css'
import { initial } from './initial'
import { MessageList } from './MessageList'
import { Notice } from './Notice'
import { Teaser } from './Teaser'
import { useRevealed } from './useRevealed'

export interface ChatViewProps {
  session: ChatSession
  name: string
  texts: ChatTexts
  paced: boolean
  header: boolean
  mayLeave: boolean
}

type ToTeamOf = Extract<InputRequest, { input: 'text' }>['toTeam']

/** px from the end that still count as being there */
const AT_END = 8

/** A whole chat: header, messages, and the input that the conversation waits for. */
export function ChatView({ session, name, texts, paced, header, mayLeave }: ChatViewProps) {
  const [, refresh] = useReducer((count: number, _: undefined) => count + 1, 0)
  useEffect(() => {
    refresh(undefined)
    return session.subscribe(() => refresh(undefined))
  }, [session])
  const state = session.state()
  const { shown, typing: reveals } = useRevealed(state, paced)
  const typing = reveals || (state.request?.input === 'wait' && !state.ended)
  const busy = state.pending !== null
  const onSend = (reply: Reply, label: string) => void session.send(reply, label)

  const log = useScrolledToEnd(
    `${shown.length} ${typing} ${state.pending?.state} ${state.messages.length} ${state.notes.length} ${state.ended}`,
    state.draft,
  )

  if (state.phase === 'gone' || state.phase === 'failed') {
    return <Notice texts={texts} kind={state.phase} said={state.refusal} onRetry={() => void session.open()} />
  }
  if (state.teaser) return <Teaser name={name} texts={texts} messages={shown} onOpen={session.unfold} />
  // Where there is no header, the chat is a part of somebody else's page.
  const Frame = header ? 'main' : 'div'
  return (
    <Frame class={css.chat}>
      {header && (
        <header class={css.header}>
          <span class={css.avatar} aria-hidden="true">
            {initial(name)}
          </span>
          <h1 class={css.name}>{name}</h1>
          <Restart texts={texts} onRestart={() => void session.restart()} />
        </header>
      )}
      {!state.connected && (
        <p class={css.offline} role="status">
          {texts.offline}
        </p>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard (axe: scrollable-region-focusable) */}
      <div class={css.log} ref={log} role="log" aria-live="polite" aria-label={texts.conversation} tabIndex={0}>
        {state.phase === 'loading' ? (
          <p class={css.loading} role="status">
            <span class={css.hidden}>{texts.loading}</span>
            <TypingDots />
          </p>
        ) : (
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
            onSend={onSend}
            onRetry={() => void session.retry()}
          />
        )}
        {typing && (
          <p class={state.draft ? css.hidden : css.typing}>
            <span class={css.hidden}>{`${name} ${texts.typing}`}</span>
            {!state.draft && <TypingDots />}
          </p>
        )}
        {state.request && 'toTeam' in state.request && state.request.toTeam && !typing && !state.ended && (
          <ToTeam {...state.request.toTeam} texts={texts} />
        )}
        {state.ended && !typing && (
          <div class={css.end}>
            <p>{texts.ended}</p>
            <button type="button" class={css.secondary} onClick={() => void session.restart()}>
              {texts.restart}
            </button>
          </div>
        )}
      </div>
      {state.phase === 'ready' && !state.ended && (
        <Composer
          request={state.request}
          question={questionOf(state)}
          hidden={typing || state.request === null}
          refusal={state.refusal}
          busy={busy}
          texts={texts}
          onSend={onSend}
          onUpload={session.upload}
        />
      )}
    </Frame>
  )
}

/** Names the question that is asked: while it is the same, what a visitor has entered stays, whatever else arrives. */
const questionOf = ({ messages, request }: ChatState): string =>
  `${messages.findLast(({ author }) => author === 2)?.seq ?? 0} ${JSON.stringify(request)}`

/**
 * An element that is scrolled to its end whenever what it holds has changed, and stays there when its own size does, or what is being
 * written grows: then, and not while somebody reads further up.
 */
function useScrolledToEnd(content: string, growing: unknown) {
  const element = useRef<HTMLDivElement>(null)
  const drawn = useRef<{ content: string; growing: unknown; height: number }>({ content: '', growing: null, height: 0 })
  useLayoutEffect(() => {
    const log = element.current
    if (!log) return
    const before = drawn.current
    drawn.current = { content, growing, height: log.scrollHeight }
    if (before.content === content && before.growing === growing) return
    const wasAtEnd = before.height - log.scrollTop - log.clientHeight < AT_END
    if (before.content !== content || wasAtEnd) log.scrollTop = log.scrollHeight
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

function Restart({ texts, onRestart }: { texts: ChatTexts; onRestart: () => void }) {
  const [asking, ask] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)
  const cancel = useRef<HTMLButtonElement>(null)
  const wasAsking = useRef(false)
  useLayoutEffect(() => {
    if (asking) cancel.current?.focus()
    else if (wasAsking.current) opener.current?.focus()
    wasAsking.current = asking
  }, [asking])
  if (!asking) {
    return (
      <button ref={opener} type="button" class={css.quiet} onClick={() => ask(true)}>
        {texts.restart}
      </button>
    )
  }
  return (
    <div
      class={css.confirm}
      role="alertdialog"
      aria-label={texts.restartConfirm}
      onKeyDown={({ key }) => key === 'Escape' && ask(false)}
    >
      <span>{texts.restartConfirm}</span>
      <div class={css.answers}>
        <button ref={cancel} type="button" class={css.quiet} onClick={() => ask(false)}>
          {texts.cancel}
        </button>
        <button
          type="button"
          class={css.quiet}
          onClick={() => {
            ask(false)
            onRestart()
          }}
        >
          {texts.restart}
        </button>
      </div>
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
