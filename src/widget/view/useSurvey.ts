import { useEffect, useState } from 'preact/hooks'
import type { ChatState } from '../conversation'
import type { SurveyTransport } from '../transport'

const VISITOR = 2
const MINUTE = 60_000

/**
 * Whether to show the survey now: at the end of the conversation, or after some minutes without a message. It is shown
 * once, and only to visitors who have written.
 */
export function useSurvey({ messages, ended, phase }: ChatState, survey: SurveyTransport | undefined) {
  const [silent, setSilent] = useState(false)
  const [closed, setClosed] = useState<string | null>(null)
  const last = messages.at(-1)?.seq ?? 0
  const hasSpoken = messages.some(({ author }) => author === VISITOR)
  const minutes = survey?.settings.after_minutes ?? 0
  // what was answered stands there as said until the conversation goes on
  const [answered, setAnswered] = useState<string | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each message begins the time anew
  useEffect(() => {
    setSilent(false)
    setAnswered(null)
    if (minutes === 0 || !hasSpoken) return
    const timer = setTimeout(() => setSilent(true), minutes * MINUTE)
    return () => clearTimeout(timer)
  }, [last, hasSpoken, minutes])
  const conversation = messages[0]?.id ?? ''
  const open =
    survey !== undefined &&
    phase === 'ready' &&
    hasSpoken &&
    (ended || silent) &&
    closed !== conversation &&
    (answered === conversation || !survey.isAnswered())
  return { open, close: () => setClosed(conversation), markAnswered: () => setAnswered(conversation) }
}
