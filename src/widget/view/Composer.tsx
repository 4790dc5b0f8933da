/** @jsxImportSource preact */
import { useEffect, useRef, useState } from 'preact/hooks'
import type { ChatTexts } from '../texts'
import type { InputRequest, Reply } from '../types'
import { Choices } from './Choices'
import css from './chat.module.css'
import { checkEntry } from './checkEntry'

export interface ComposerProps {
  request: InputRequest
  refusal: string | null
  busy: boolean
  texts: ChatTexts
  onSend: (reply: Reply, label: string) => void
}

/** The input that the conversation waits for: choices, a field, or both. */
export function Composer({ request, refusal, busy, texts, onSend }: ComposerProps) {
  const hasField = request.input !== 'choice' || request.typing
  const skippable = request.input !== 'choice' && !request.required
  return (
    <div class={css.composer}>
      {request.input === 'choice' && <Choices request={request} busy={busy} texts={texts} onSend={onSend} />}
      {hasField && <Field request={request} busy={busy} texts={texts} onSend={onSend} refusal={refusal} />}
      {skippable && (
        <button type="button" class={css.quiet} disabled={busy} onClick={() => onSend({ type: 'skip' }, texts.skip)}>
          {texts.skip}
        </button>
      )}
    </div>
  )
}

function Field({ request, refusal, busy, texts, onSend }: ComposerProps) {
  const [value, setValue] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const field = useRef<HTMLInputElement & HTMLTextAreaElement>(null)

  useEffect(() => {
    // On a phone the keyboard would cover what the bot just said.
    if (matchMedia('(pointer: fine)').matches) field.current?.focus({ preventScroll: true })
  }, [])

  function submit(): void {
    if (busy || value.trim() === '') return
    const wrong = checkEntry(request, value, texts)
    setProblem(wrong)
    if (wrong) return
    onSend({ type: 'text', text: value.trim() }, value.trim())
    setValue('')
  }

  const label = labelOf(request, texts)
  const shared = {
    ref: field,
    class: css.field,
    value,
    placeholder: request.placeholder || label,
    'aria-label': label,
    'aria-invalid': problem || refusal ? true : undefined,
    'aria-describedby': problem || refusal ? 'chat-problem' : undefined,
    maxLength: request.input === 'text' ? request.maxLength : 20_000,
    onInput: (event: { currentTarget: { value: string } }) => {
      setValue(event.currentTarget.value)
      setProblem(null)
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
      {(problem || refusal) && (
        <p id="chat-problem" class={css.problem} role="alert">
          {problem ?? refusal}
        </p>
      )}
    </form>
  )
}

function labelOf(request: InputRequest, texts: ChatTexts): string {
  if (request.input === 'email') return texts.email
  if (request.input === 'number') return texts.number
  return texts.message
}

function keyboardOf(request: InputRequest) {
  if (request.input === 'email') return { type: 'email', inputMode: 'email', autoComplete: 'email' } as const
  if (request.input === 'number') {
    return { type: 'text', inputMode: request.integer ? 'numeric' : 'decimal', autoComplete: 'off' } as const
  }
  return { type: 'text', autoComplete: 'off' } as const
}
