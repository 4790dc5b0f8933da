import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { Suggestion, TriedAnswer } from '../../server/contracts/answers'
import { type AskBody, ask } from '../api/answers'
import { failureText } from '../api/failure'

/**
 * A question with its answer. `stopped`: the user did not wait for the rest. `failed`: with an answer, the chatbot
 * failed, and the answer's text is the message for visitors; without one there was no response.
 */
export interface Exchange {
  id: number
  question: string
  state: 'writing' | 'done' | 'stopped' | 'failed'
  /** the text streamed so far */
  text: string
  answer: TriedAnswer | null
  /** a sentence; null unless it failed */
  error: string | null
  /** the suggestion that was chosen instead of asking */
  chosen?: string
}
export type Overrides = NonNullable<AskBody['overrides']>

export interface Asking {
  exchanges: Exchange[]
  writing: boolean
  ask: (question: string, overrides?: Overrides) => void
  /** answers with a suggestion of an earlier answer */
  choose: (suggestion: Suggestion, overrides?: Overrides) => void
  /** asks an incomplete question again, in place */
  retry: (id: number, overrides?: Overrides) => void
  stop: () => void
  restart: () => void
  /** replaces the conversation by another one */
  takeOver: (exchanges: Exchange[]) => void
}

/** The route's limit of earlier lines. */
const LINES = 100
const LINE = 20_000

/**
 * A conversation with the chatbot outside of flows: one question at a time, with streamed answers.
 * @param acts carry out actions' changes outside; otherwise they are simulated
 */
export function useAsking(pgid: string, cgid: string, noAnswer: string, acts = false): Asking {
  const [exchanges, setExchanges] = useState<Exchange[]>([])
  const latest = useRef(exchanges)
  latest.current = exchanges
  const acting = useRef(acts)
  acting.current = acts
  const underWay = useRef<AbortController | null>(null)
  const lastId = useRef(0)
  // identifies the conversation for once-per-conversation actions
  const talk = useRef(newTalk())
  useEffect(() => () => underWay.current?.abort(), [])

  const run = useCallback(
    async (exchange: Exchange, before: Exchange[], overrides: Overrides | undefined) => {
      const controller = new AbortController()
      underWay.current?.abort()
      underWay.current = controller
      const change = (part: Partial<Exchange>) =>
        setExchanges((all) => all.map((each) => (each.id === exchange.id ? { ...each, ...part } : each)))
      const body = {
        question: exchange.question,
        before: linesOf(before),
        talk: talk.current,
        ...(overrides && { overrides }),
        ...(exchange.chosen !== undefined && { chosen: exchange.chosen }),
        ...(acting.current && { carry_out: true }),
      }
      try {
        const onText = (text: string) => change({ text })
        const answer = await ask({ pgid, cgid, body, signal: controller.signal, onText })
        const outcome = answer.failed
          ? { state: 'failed' as const, error: answer.debug.note ?? noAnswer }
          : { state: 'done' as const }
        change({ ...outcome, text: answer.text, answer })
      } catch (error) {
        if (controller.signal.aborted) change({ state: 'stopped' })
        else change({ state: 'failed', error: failureText(error, noAnswer) })
      }
    },
    [pgid, cgid, noAnswer],
  )

  const add = useCallback(
    (question: string, chosen: string | undefined, overrides: Overrides | undefined) => {
      lastId.current += 1
      const exchange = begun(lastId.current, question, chosen)
      const before = latest.current
      setExchanges((all) => [...all, exchange])
      void run(exchange, before, overrides)
    },
    [run],
  )
  const actions = useMemo(
    () => ({
      ask: (question: string, overrides?: Overrides) => add(question, undefined, overrides),
      choose: ({ id, label }: Suggestion, overrides?: Overrides) => add(label, id, overrides),
      retry(id: number, overrides?: Overrides) {
        const at = latest.current.findIndex((each) => each.id === id)
        const old = latest.current[at]
        if (!old) return
        const exchange = begun(id, old.question, old.chosen)
        setExchanges((all) => all.map((each) => (each.id === id ? exchange : each)))
        void run(exchange, latest.current.slice(0, at), overrides)
      },
      stop: () => underWay.current?.abort(),
      restart() {
        underWay.current?.abort()
        talk.current = newTalk()
        setExchanges([])
      },
      takeOver(others: Exchange[]) {
        underWay.current?.abort()
        lastId.current = Math.max(lastId.current, 0, ...others.map(({ id }) => id))
        setExchanges(others.filter(({ state }) => state !== 'writing'))
      },
    }),
    [run, add],
  )
  return { exchanges, writing: exchanges.some(({ state }) => state === 'writing'), ...actions }
}

/** An id in the route's format. */
const newTalk = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => (byte % 36).toString(36)).join('')

const begun = (id: number, question: string, chosen?: string): Exchange => ({
  id,
  question,
  state: 'writing',
  text: '',
  answer: null,
  error: null,
  ...(chosen !== undefined && { chosen }),
})

/** The conversation without unanswered questions. */
export function linesOf(exchanges: readonly Exchange[]): AskBody['before'] {
  return exchanges
    .filter(({ state, text }) => state === 'done' || (state === 'stopped' && text !== ''))
    .flatMap(({ question, text }) => [
      { by: 'visitor' as const, text: question.slice(0, LINE) },
      { by: 'bot' as const, text: text.slice(0, LINE) },
    ])
    .slice(-LINES)
}
