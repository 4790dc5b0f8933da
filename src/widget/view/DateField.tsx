/** @jsxImportSource preact */
import { useRef, useState } from 'preact/hooks'
import { type ChatTexts, fill } from '../texts'
import css from './chat.module.css'
import { useFocusWhenShown } from './Field'
import form from './form.module.css'
import type { InputProps } from './inputProps'

type DateRequest = InputProps<'date'>['request']

/** A day, a time or both, or two of them: what the browser offers for it, in the visitor's own notation. */
export function DateField({ request, hidden, refusal, busy, texts, onSend }: InputProps<'date'>) {
  const [from, setFrom] = useState('')
  const [to, setTo] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const element = useRef<HTMLFormElement>(null)
  const first = useRef<HTMLInputElement>(null)
  useFocusWhenShown(first, hidden)

  const whole = from !== '' && (to !== '' || !request.range)
  const label = { date: texts.date, time: texts.time, 'date-time': texts.dateTime }[request.mode]
  const wrong = problem ?? refusal

  function submit(): void {
    if (busy) return
    const unreadable = [...(element.current?.elements ?? [])].some(
      (field) => field instanceof HTMLInputElement && field.validity.badInput,
    )
    const found = unreadable ? texts.invalidDate : whole ? checkDates(request, from, to, texts) : texts.required
    setProblem(found)
    if (found) return
    const sent = (value: string) => (request.mode === 'date-time' && !request.timeZone ? withOffset(value) : value)
    const text = request.range ? `${sent(from)}/${sent(to)}` : sent(from)
    onSend({ type: 'text', text }, request.range ? `${readable(from)} – ${readable(to)}` : readable(from))
  }

  const field = (value: string, set: (value: string) => void) => ({
    class: css.field,
    type: types[request.mode],
    value,
    readOnly: busy,
    min: request.min,
    max: request.max,
    'aria-invalid': wrong ? true : undefined,
    'aria-describedby': wrong ? 'chat-problem' : undefined,
    onInput: (event: { currentTarget: { value: string } }) => {
      set(event.currentTarget.value)
      setProblem(null)
    },
  })
  return (
    <form
      ref={element}
      class={css.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      {request.range ? (
        <>
          <label class={form.half}>
            <span>{texts.from}</span>
            <input ref={first} {...field(from, setFrom)} />
          </label>
          <label class={form.half}>
            <span>{texts.to}</span>
            <input {...field(to, setTo)} />
          </label>
        </>
      ) : (
        <input ref={first} aria-label={request.placeholder || label} {...field(from, setFrom)} />
      )}
      <button type="submit" class={css.primary} disabled={busy}>
        {texts.send}
      </button>
      {request.timeZone && request.mode !== 'date' && (
        <p class={form.zone}>{fill(texts.timeZone, { zone: request.timeZone.replaceAll('_', ' ') })}</p>
      )}
      {wrong && (
        <p id="chat-problem" class={css.problem} role="alert">
          {wrong}
        </p>
      )}
    </form>
  )
}

const types = { date: 'date', time: 'time', 'date-time': 'datetime-local' } as const

/** Local ISO texts of one kind compare as they are. */
function checkDates({ mode, range, min, max }: DateRequest, from: string, to: string, texts: ChatTexts): string | null {
  // a time may pass midnight
  if (range && mode !== 'time' && to < from) return texts.wrongOrder
  if (min && from < min) return fill(texts.tooEarly, { n: readable(min) })
  if (max && (range ? to : from) > max) return fill(texts.tooLate, { n: readable(max) })
  return null
}

/** A date and a time on this machine's clock, with how far it was from UTC then. */
function withOffset(local: string): string {
  const minutes = -new Date(local).getTimezoneOffset()
  const pair = (value: number) => String(Math.floor(value)).padStart(2, '0')
  return `${local}${minutes < 0 ? '-' : '+'}${pair(Math.abs(minutes) / 60)}:${pair(Math.abs(minutes) % 60)}`
}

/** As the conversation shows it until the server has it. */
const readable = (iso: string): string => iso.replace('T', ' ')
