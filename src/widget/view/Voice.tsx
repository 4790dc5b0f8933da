/** @jsxImportSource preact */
import { useEffect, useRef, useState } from 'preact/hooks'
import type { ChatTexts } from '../texts'
import css from './chat.module.css'

/** What is used of a browser's recogniser; its types are in no library. */
interface Recogniser extends EventTarget {
  lang: string
  interimResults: boolean
  start(): void
  abort(): void
  stop(): void
}
type Heard = Event & { results: ArrayLike<ArrayLike<{ transcript: string }>> }

/** The browser's own recogniser; null where it has none. */
const recogniserOf = (): (new () => Recogniser) | null => {
  const own = globalThis as { SpeechRecognition?: new () => Recogniser; webkitSpeechRecognition?: new () => Recogniser }
  return own.SpeechRecognition ?? own.webkitSpeechRecognition ?? null
}

/** Takes down what a visitor says, for the field, where it is looked over before it is sent. */
export function Voice(props: { texts: ChatTexts; disabled: boolean; onHeard: (text: string) => void }) {
  const { texts, disabled, onHeard } = props
  const running = useRef<Recogniser | null>(null)
  const [listening, setListening] = useState(false)
  const latest = useRef(onHeard)
  latest.current = onHeard
  useEffect(() => () => running.current?.abort(), [])
  const Recognition = recogniserOf()
  if (!Recognition) return null

  const toggle = () => {
    if (running.current) return running.current.stop()
    const recogniser = new Recognition()
    running.current = recogniser
    recogniser.lang = document.documentElement.lang || navigator.language
    recogniser.interimResults = true
    recogniser.addEventListener('result', (event) => {
      const { results } = event as Heard
      latest.current(
        Array.from(results, (result) => result[0]?.transcript ?? '')
          .join('')
          .trim(),
      )
    })
    recogniser.addEventListener('end', () => {
      running.current = null
      setListening(false)
    })
    setListening(true)
    recogniser.start()
  }
  return (
    <button
      type="button"
      class={css.voice}
      aria-label={listening ? texts.listening : texts.speak}
      aria-pressed={listening}
      disabled={disabled}
      onClick={toggle}
    >
      <svg viewBox="0 0 16 16" width="18" height="18" aria-hidden="true" fill="none" stroke="currentColor">
        <path
          d="M8 10a2 2 0 0 0 2-2V4a2 2 0 1 0-4 0v4a2 2 0 0 0 2 2Zm4-2.2a4 4 0 0 1-8 0M8 12v2"
          stroke-width="1.4"
          stroke-linecap="round"
        />
      </svg>
    </button>
  )
}
