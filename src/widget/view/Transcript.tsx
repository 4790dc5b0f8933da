/** @jsxImportSource preact */
import { useState } from 'preact/hooks'
import { type ChatTexts, fill } from '../texts'
import { ChatFailure } from '../transport'
import css from './chat.module.css'
import look from './look.module.css'

/** The way to have the conversation by mail: a button first, an address when it is pressed. */
export function Transcript({ texts, send }: { texts: ChatTexts; send: (email: string) => Promise<void> }) {
  const [email, setEmail] = useState('')
  const [state, setState] = useState<'closed' | 'open' | 'sending' | 'sent'>('closed')
  const [problem, setProblem] = useState<string | null>(null)
  if (state === 'closed') {
    return (
      <div class={look.transcript}>
        <button type="button" class={css.quiet} onClick={() => setState('open')}>
          {texts.transcript}
        </button>
      </div>
    )
  }
  if (state === 'sent') {
    return (
      <div class={look.transcript}>
        <p role="status">{fill(texts.transcriptSent, { email })}</p>
      </div>
    )
  }
  const submit = async () => {
    setState('sending')
    setProblem(null)
    try {
      await send(email.trim())
      setState('sent')
    } catch (failure) {
      setProblem((failure instanceof ChatFailure ? failure.said : null) ?? texts.failedText)
      setState('open')
    }
  }
  return (
    <form
      class={look.transcript}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (email.trim() !== '' && state === 'open') void submit()
      }}
    >
      <input
        class={css.field}
        type="email"
        autoComplete="email"
        aria-label={texts.email}
        aria-invalid={problem !== null || undefined}
        aria-describedby={problem ? 'chat-transcript-problem' : undefined}
        placeholder={texts.email}
        value={email}
        maxLength={320}
        onInput={({ currentTarget }) => setEmail(currentTarget.value)}
      />
      <button type="submit" class={css.primary} disabled={email.trim() === '' || state === 'sending'}>
        {texts.send}
      </button>
      <button type="button" class={css.quiet} onClick={() => setState('closed')}>
        {texts.cancel}
      </button>
      {problem && (
        <p id="chat-transcript-problem" class={css.problem} role="alert">
          {problem}
        </p>
      )}
    </form>
  )
}
