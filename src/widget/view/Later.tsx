/** @jsxImportSource preact */
import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { ChatTexts } from '../texts'
import css from './chat.module.css'

/** A part that few conversations need: it is loaded when it is first shown, and can be retried if loading fails. */
export function Later<Props extends { texts: ChatTexts }>(props: {
  load: () => Promise<ComponentType<Props>>
  given: Props
}) {
  const { load, given } = props
  const [Part, setPart] = useState<ComponentType<Props> | null>(null)
  const [failed, setFailed] = useState(0)
  const [attempt, setAttempt] = useState(1)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each attempt loads once
  useEffect(() => {
    load().then(
      (part) => setPart(() => part),
      () => setFailed(attempt),
    )
  }, [attempt])
  if (Part) return <Part {...given} />
  if (failed < attempt) return null
  return (
    <p class={css.problem} role="alert">
      {given.texts.failedText}{' '}
      <button type="button" class={css.link} onClick={() => setAttempt(attempt + 1)}>
        {given.texts.tryAgain}
      </button>
    </p>
  )
}
