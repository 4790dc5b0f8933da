/** @jsxImportSource preact */
import { useContext, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { type ChatTexts, fill } from '../texts'
import css from './chat.module.css'
import { LONGEST, roomOf } from './checkEntry'
import type { InputProps } from './inputProps'
import { Parts, TakesCursor } from './lookContext'
import { Voice } from './Voice'

type Props = InputProps<'text' | 'email' | 'phone' | 'url' | 'number' | 'choice'> & {
  question: string
  placeholder: string
}
export type FieldRequest = Props['request']

/**
 * A text field of one or several lines. It refuses only texts that are too long, since truncating would lose words: an
 * invalid answer may be an intent; otherwise the block replies with its editor's text, counts the attempts and leaves
 * by its port.
 *
 * While the bot writes it accepts no input, but stays the same element, neither disabled nor read-only: both would
 * close a phone's keyboard.
 */
export function Field({ request, question, placeholder, hidden, refusal, busy, texts, onSend }: Props) {
  const [entered, setEntered] = useState({ question, value: '', tooLong: false })
  const parts = useContext(Parts)
  const isOfBefore = entered.question !== question
  const value = isOfBefore ? '' : entered.value
  const tooLong = !isOfBefore && entered.tooLong
  const idle = busy || hidden
  const most = request.input === 'text' ? Math.min(request.maxLength, LONGEST) : LONGEST
  const room = roomOf(value.trim().length, most)
  // SPEC.md 5 names the first length that is not taken
  const problem = tooLong ? fill(texts.tooLong, { n: most + 1 }) : hidden ? null : refusal
  const field = useRef<HTMLInputElement & HTMLTextAreaElement>(null)
  useFocusWhenShown(field, hidden, question)
  const long = request.input === 'text' && request.long
  useFocusKept(field, long)

  function submit(): void {
    const entry = value.trim()
    if (idle || entry === '') return
    // a tap on the button has taken the cursor out
    field.current?.focus({ preventScroll: true })
    if (entry.length > most) setEntered({ question, value, tooLong: true })
    else onSend({ type: 'text', text: entry }, entry)
  }

  const label = labelOf(request, texts)
  const shared = {
    ref: field,
    class: css.field,
    // what is on its way stands in the conversation; when it is refused it is here again
    value: busy ? '' : value,
    'aria-disabled': idle || undefined,
    placeholder: request.placeholder || placeholder || label,
    'aria-label': label,
    'aria-invalid': problem ? true : undefined,
    'aria-describedby': problem ? 'chat-problem' : undefined,
    onInput: (event: { currentTarget: { value: string } }) => {
      if (idle) event.currentTarget.value = busy ? '' : value
      else setEntered({ question, value: event.currentTarget.value, tooLong: false })
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
      {long ? (
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
      {parts.voice && (
        <Voice
          texts={texts}
          disabled={idle}
          onHeard={(heard) => setEntered({ question, value: heard, tooLong: false })}
        />
      )}
      <button
        type="submit"
        class={css.primary}
        disabled={idle || value.trim() === ''}
        // the cursor stays in the field
        onMouseDown={(event) => event.preventDefault()}
      >
        {texts.send}
      </button>
      {room && !idle && (
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

/** Focuses the field once it is visible; not on a phone, whose keyboard would cover the bot's message. */
export function useFocusWhenShown(field: { current: HTMLElement | null }, hidden: boolean, question = ''): void {
  const takesCursor = useContext(TakesCursor)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another question is another field to be seen
  useEffect(() => {
    if (takesCursor && !hidden && matchMedia('(pointer: fine)').matches) field.current?.focus({ preventScroll: true })
  }, [field, hidden, question, takesCursor])
}

/** Leaves the cursor in the field when another element takes its place: one line, or several. */
function useFocusKept(field: { current: HTMLElement | null }, long: boolean): void {
  const hadFocus = field.current !== null && document.activeElement === field.current
  // biome-ignore lint/correctness/useExhaustiveDependencies: at the change of the element alone
  useLayoutEffect(() => {
    if (hadFocus) field.current?.focus({ preventScroll: true })
  }, [long])
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
