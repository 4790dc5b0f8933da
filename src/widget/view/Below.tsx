/** @jsxImportSource preact */
import { useContext, useEffect, useState } from 'preact/hooks'
import type { ChatTexts } from '../texts'
import type { ChatMessage } from '../types'
import css from './below.module.css'
import { Parts } from './lookContext'
import { richTextToString } from './plainWords'
import { regional } from './regional'

interface BelowProps {
  message: ChatMessage
  texts: ChatTexts
  /** it is the last of its group: the time stands below it */
  isLast: boolean
  /** null: nothing can be said of it any more */
  onRate: ((helpful: boolean | null) => void) | null
}

/**
 * What stands below a message: whether it helped, a copy of it, its time. Within a group, where nothing else stands
 * there, the copy is beside the message while the pointer or the keyboard is at it, and takes no line of its own.
 */
export function Below({ message, texts, isLast, onRate }: BelowProps) {
  const parts = useContext(Parts)
  const isBot = message.author === 1
  const words = isBot && parts.copy ? wordsOf(message) : ''
  const rates = isBot && parts.ratings && message.content.kind === 'answer'
  if (!(words || rates || (parts.times && isLast))) return null
  if (!rates && !isLast) {
    return (
      <div class={css.beside}>
        <Copy words={words} texts={texts} />
      </div>
    )
  }
  return (
    <div class={css.below}>
      {rates && <Helpful value={message.helpful ?? null} texts={texts} onRate={onRate} />}
      {words && <Copy words={words} texts={texts} />}
      {parts.times && isLast && <Time at={message.at} />}
    </div>
  )
}

/** Yes or no, as two buttons that stay down; pressed again, it is taken back. */
function Helpful(props: { value: boolean | null; texts: ChatTexts; onRate: BelowProps['onRate'] }) {
  const { value, texts, onRate } = props
  return (
    <fieldset class={css.helpful}>
      <legend>{texts.helpful}</legend>
      {([true, false] as const).map((answer) => (
        <button
          key={String(answer)}
          type="button"
          aria-pressed={value === answer}
          aria-label={answer ? texts.yes : texts.no}
          disabled={onRate === null}
          onClick={() => onRate?.(value === answer ? null : answer)}
        >
          <Thumb down={!answer} />
        </button>
      ))}
    </fieldset>
  )
}

const COPIED_MS = 2_000

function Copy({ words, texts }: { words: string; texts: ChatTexts }) {
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), COPIED_MS)
    return () => clearTimeout(timer)
  }, [copied])
  // without a safe origin browsers have no clipboard
  if (!navigator.clipboard) return null
  return (
    <button
      type="button"
      class={css.copy}
      aria-label={copied ? texts.copied : texts.copy}
      onClick={() =>
        void navigator.clipboard.writeText(words).then(
          () => setCopied(true),
          () => undefined,
        )
      }
    >
      <svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true" fill="none" stroke="currentColor">
        {copied ? (
          <path d="m3 8.5 3.2 3L13 4.5" stroke-width="1.6" stroke-linecap="round" stroke-linejoin="round" />
        ) : (
          <path
            d="M5.5 5.5V3.8c0-.7.6-1.3 1.3-1.3h5.4c.7 0 1.3.6 1.3 1.3v5.4c0 .7-.6 1.3-1.3 1.3h-1.7M3.8 5.5h5.4c.7 0 1.3.6 1.3 1.3v5.4c0 .7-.6 1.3-1.3 1.3H3.8c-.7 0-1.3-.6-1.3-1.3V6.8c0-.7.6-1.3 1.3-1.3Z"
            stroke-width="1.3"
          />
        )}
      </svg>
    </button>
  )
}

function Time({ at }: { at: string }) {
  const date = new Date(at)
  if (Number.isNaN(date.getTime())) return null
  const { lang } = document.documentElement
  const language = lang ? regional(lang) : undefined
  const isToday = date.toDateString() === new Date().toDateString()
  return (
    <time class={css.time} dateTime={at} title={date.toLocaleString(language)}>
      {isToday
        ? date.toLocaleTimeString(language, { timeStyle: 'short' })
        : date.toLocaleString(language, { dateStyle: 'medium', timeStyle: 'short' })}
    </time>
  )
}

function wordsOf({ content }: ChatMessage): string {
  return content.kind === 'text' || content.kind === 'answer' ? richTextToString(content.text) : ''
}

const Thumb = ({ down }: { down: boolean }) => (
  <svg
    viewBox="0 0 16 16"
    width="15"
    height="15"
    aria-hidden="true"
    fill="none"
    stroke="currentColor"
    stroke-width="1.3"
    stroke-linejoin="round"
    style={down ? { transform: 'rotate(180deg)' } : undefined}
  >
    <path d="M5 7v6.5H3A.5.5 0 0 1 2.5 13V7.5A.5.5 0 0 1 3 7h2Zm0 0 2.6-4.7c.9 0 1.6.7 1.6 1.6V6h3.2c.8 0 1.4.7 1.2 1.5l-1 4.8c-.1.7-.7 1.2-1.4 1.2H5" />
  </svg>
)
