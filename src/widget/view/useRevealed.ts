import { useEffect, useRef, useState } from 'preact/hooks'
import type { ChatState } from '../conversation'
import type { ChatMessage } from '../types'
import { matches } from './matches'

/** How long the bot "types" before a message, by its length, in ms: quick enough to never be in the way. */
const MIN_PAUSE = 250
const MAX_PAUSE = 900
const PER_CHARACTER = 8

/**
 * Shows the bot's messages one after the other instead of all at once. Messages of a conversation that is opened again
 * are shown immediately, and so are all messages for people who prefer reduced motion, and answers that were shown
 * while they were written.
 */
export function useRevealed(
  { phase, messages, pending, draft, drafted, liveAfter }: ChatState,
  paced: boolean,
): { shown: ChatMessage[]; typing: boolean } {
  const [revealed, reveal] = useState(0)
  const opened = useRef(false)
  const instant = !paced || matches('(prefers-reduced-motion: reduce)')

  if (phase === 'loading') opened.current = false
  const isResumed = phase === 'ready' && !opened.current && messages.some((message) => message.author === 2)
  const last = messages.at(-1)?.seq ?? 0
  const from =
    phase === 'loading' ? 0 : isResumed || instant ? last : Math.min(Math.max(revealed, liveAfter, drafted), last)

  const next = messages.find((message) => message.seq > from)
  useEffect(() => {
    opened.current = phase === 'ready'
    if (phase !== 'ready') return reveal(0)
    if (!next) return reveal(last)
    if (next.author === 2) return reveal(next.seq)
    const length = next.content.kind === 'text' ? JSON.stringify(next.content.text).length : 0
    const timer = setTimeout(() => reveal(next.seq), Math.min(MAX_PAUSE, MIN_PAUSE + length * PER_CHARACTER))
    return () => clearTimeout(timer)
  }, [phase, next, last])

  const waits = pending?.state === 'sending'
  return {
    shown: messages.filter((message) => message.seq <= from),
    typing: next !== undefined || waits || draft !== null,
  }
}
