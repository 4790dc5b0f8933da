import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { TriedAnswer } from '../../server/contracts/answers'
import { type AskBody, ask } from '../api/answers'
import { failureText } from '../api/failure'

/**
 * A question and what came of it. `stopped`: whoever asked did not wait for the rest. `failed`: with an answer it is the chatbot that
 * could not, and the answer's text what visitors are told then; without one nothing came back.
 */
export interface Exchange {
  id: number
  question: string
  state: 'writing' | 'done' | 'stopped' | 'failed'
  /** what is written so far */
  text: string
  answer: TriedAnswer | null
  /** a sentence; null unless it failed */
  error: string | null
}
export type Overrides = NonNullable<AskBody['overrides']>

export interface Asking {
  exchanges: Exchange[]
  writing: boolean
  ask: (question: string, overrides?: Overrides) => void
  /** asks what did not come to its end once more, in its place */
  retry: (id: number, overrides?: Overrides) => void
  stop: () => void
  restart: () => void
  /** goes on from another conversation */
  takeOver: (exchanges: Exchange[]) => void
}

/** What the route takes of what was said before. */
const LINES = 100
const LINE = 20_000

/**
 * A conversation with the chatbot itself, outside of any flow: one question at a time, its answer as it is written.
 * @param acts what actions change outside is carried out; else simulated
 */
export function useAsking(pgid: string, cgid: string, noAnswer: string, acts = false): Asking {
  const [exchanges, setExchanges] = useState<Exchange[]>([])
  const latest = useRef(exchanges)
  latest.current = exchanges
  const acting = useRef(acts)
  acting.current = acts
  const underWay = useRef<AbortController | null>(null)
  const lastId = useRef(0)
  // what is for once a conversation is so here too
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

  const actions = useMemo(
    () => ({
      ask(question: string, overrides?: Overrides) {
        lastId.current += 1
        const exchange = begun(lastId.current, question)
        const before = latest.current
        setExchanges((all) => [...all, exchange])
        void run(exchange, before, overrides)
      },
      retry(id: number, overrides?: Overrides) {
        const at = latest.current.findIndex((each) => each.id === id)
        const old = latest.current[at]
        if (!old) return
        const exchange = begun(id, old.question)
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
    [run],
  )
  return { exchanges, writing: exchanges.some(({ state }) => state === 'writing'), ...actions }
}

/** A name as the route takes it. */
const newTalk = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => (byte % 36).toString(36)).join('')

const begun = (id: number, question: string): Exchange => ({
  id,
  question,
  state: 'writing',
  text: '',
  answer: null,
  error: null,
})

/** What was said, without what got no answer. */
export function linesOf(exchanges: readonly Exchange[]): AskBody['before'] {
  return exchanges
    .filter(({ state, text }) => state === 'done' || (state === 'stopped' && text !== ''))
    .flatMap(({ question, text }) => [
      { by: 'visitor' as const, text: question.slice(0, LINE) },
      { by: 'bot' as const, text: text.slice(0, LINE) },
    ])
    .slice(-LINES)
}
