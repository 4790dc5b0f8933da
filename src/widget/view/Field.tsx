/** @jsxImportSource preact */
import { useEffect, useRef, useState } from 'preact/hooks'
import { type ChatTexts, fill } from '../texts'
import type { InputProps } from './Composer'
import css from './chat.module.css'
import { LONGEST, roomOf } from './checkEntry'

type Props = InputProps<'text' | 'email' | 'phone' | 'url' | 'number' | 'choice'>

/**
 * One line, or several, to type into. It refuses nothing but what is too long, since cutting it would lose words: what is no answer may be an intent, and else the block says so in
 * its editor's words, counts the attempts and leaves by its port.
 */
export function Field({ request, hidden, refusal, busy, texts, onSend }: Props) {
  const [value, setValue] = useState('')
  const [tooLong, setTooLong] = useState(false)
  const most = request.input === 'text' ? Math.min(request.maxLength, LONGEST) : LONGEST
  const room = roomOf(value.trim().length, most)
  // SPEC.md 5 names the first length that is not taken
  const problem = tooLong ? fill(texts.tooLong, { n: most + 1 }) : refusal
  const field = useRef<HTMLInputElement & HTMLTextAreaElement>(null)
  useFocusWhenShown(field, hidden)

  function submit(): void {
    const entry = value.trim()
    if (busy || entry === '') return
    if (entry.length > most) {
      setTooLong(true)
      field.current?.focus()
      return
    }
    onSend({ type: 'text', text: entry }, entry)
  }

  const label = labelOf(request, texts)
  const shared = {
    ref: field,
    class: css.field,
    // what is on its way stands in the conversation; when it is refused it is here again
    value: busy ? '' : value,
    // not disabled: that would take the cursor out, and a refused answer is corrected here
    readOnly: busy,
    placeholder: request.placeholder || label,
    'aria-label': label,
    'aria-invalid': problem ? true : undefined,
    'aria-describedby': problem ? 'chat-problem' : undefined,
    onInput: (event: { currentTarget: { value: string } }) => {
      setValue(event.currentTarget.value)
      setTooLong(false)
    },
  }
  return (
    <form
      class={css.form}
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
      noValidate
    >
      {request.input === 'text' && request.long ? (
        <textarea
          {...shared}
          rows={3}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return
            event.preventDefault()
            submit()
          }}
        />
      ) : (
        <input {...shared} {...keyboardOf(request)} />
      )}
      <button type="submit" class={css.primary} disabled={busy || value.trim() === ''}>
        {texts.send}
      </button>
      {room && !busy && (
        <p class={css.room} data-over={value.trim().length > most || undefined}>
          {room}
        </p>
      )}
      {problem && (
        <p id="chat-problem" class={css.problem} role="alert">
          {problem}
        </p>
      )}
    </form>
  )
}

/** Puts the cursor in, once the field is there to be seen; not on a phone, whose keyboard would cover what the bot just said. */
export function useFocusWhenShown(field: { current: HTMLElement | null }, hidden: boolean): void {
  useEffect(() => {
    if (!hidden && matchMedia('(pointer: fine)').matches) field.current?.focus({ preventScroll: true })
  }, [field, hidden])
}

function labelOf({ input }: Props['request'], texts: ChatTexts): string {
  return input === 'text' || input === 'choice' ? texts.message : texts[input]
}

export function keyboardOf(request: { input: string; integer?: boolean }) {
  switch (request.input) {
    case 'email':
      return { type: 'email', inputMode: 'email', autoComplete: 'email' } as const
    case 'phone':
      return { type: 'tel', inputMode: 'tel', autoComplete: 'tel' } as const
    case 'url':
      return { type: 'url', inputMode: 'url', autoComplete: 'url' } as const
    case 'number':
      return { type: 'text', inputMode: request.integer ? 'numeric' : 'decimal', autoComplete: 'off' } as const
    default:
      return { type: 'text', autoComplete: 'off' } as const
  }
}
