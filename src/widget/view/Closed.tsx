/** @jsxImportSource preact */
import { useState } from 'preact/hooks'
import type { PageTexts } from '../pageTexts'
import { type ChatTexts, fill } from '../texts'
import { ChatFailure } from '../transport'
import type { ChatPage } from '../types'
import css from './chat.module.css'
import { isEmail } from './checkEntry'
import form from './form.module.css'
import { momentIn } from './momentIn'
import page from './page.module.css'

export interface ClosedProps {
  closed: NonNullable<ChatPage['closed']>
  texts: ChatTexts
  said: PageTexts
  /** of the texts, for the time that is said */
  language: string
  onLeave: (message: { name: string; email: string; message: string }) => Promise<void>
}

/** What visitors meet outside of the hours: when it opens again, and where the settings say so a form. */
export function Closed({ closed, texts, said, language, onLeave }: ClosedProps) {
  return (
    <div class={page.closed}>
      <h2>{said.closedTitle}</h2>
      {closed.message && <p class={page.words}>{closed.message}</p>}
      {closed.opens_at && <p>{fill(said.opensAt, { when: momentIn(language, closed.opens_at) })}</p>}
      {closed.form && <LeaveMessage texts={texts} said={said} onLeave={onLeave} />}
    </div>
  )
}

const EMPTY = { name: '', email: '', message: '' }
type Entries = typeof EMPTY

function LeaveMessage({ texts, said, onLeave }: { texts: ChatTexts; said: PageTexts } & Pick<ClosedProps, 'onLeave'>) {
  const [entries, setEntries] = useState(EMPTY)
  const [problems, setProblems] = useState<Partial<Entries>>({})
  const [state, setState] = useState<'open' | 'busy' | 'sent'>('open')
  const [refusal, setRefusal] = useState<string | null>(null)
  if (state === 'sent')
    return (
      <p role="status" class={page.thanks}>
        {fill(said.leftMessage, { email: entries.email.trim() })}
      </p>
    )

  async function submit(): Promise<void> {
    const found: Partial<Entries> = {}
    for (const field of ['name', 'email', 'message'] as const) if (!entries[field].trim()) found[field] = texts.required
    if (!found.email && !isEmail(entries.email.trim())) found.email = texts.invalidEmail
    setProblems(found)
    const [wrong] = Object.keys(found)
    if (wrong) return document.getElementById(`left-${wrong}`)?.focus()
    setState('busy')
    setRefusal(null)
    try {
      await onLeave({ name: entries.name.trim(), email: entries.email.trim(), message: entries.message.trim() })
      setState('sent')
    } catch (failure) {
      setRefusal((failure instanceof ChatFailure && failure.said) || texts.failedText)
      setState('open')
    }
  }

  const shared = (field: keyof Entries) => ({
    id: `left-${field}`,
    class: css.field,
    value: entries[field],
    disabled: state === 'busy',
    'aria-required': true,
    'aria-invalid': problems[field] ? true : undefined,
    'aria-describedby': problems[field] ? `left-${field}-problem` : undefined,
    onInput: (event: { currentTarget: { value: string } }) => {
      setEntries({ ...entries, [field]: event.currentTarget.value })
      setProblems(({ [field]: _, ...others }) => others)
    },
  })
  const problemOf = (field: keyof Entries) =>
    problems[field] && (
      <p id={`left-${field}-problem`} class={css.problem}>
        {problems[field]}
      </p>
    )
  return (
    <form
      class={form.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <p>{said.leaveMessage}</p>
      <div class={form.field}>
        <label for="left-name">{said.yourName}</label>
        <input {...shared('name')} type="text" autoComplete="name" maxLength={255} />
        {problemOf('name')}
      </div>
      <div class={form.field}>
        <label for="left-email">{texts.email}</label>
        <input {...shared('email')} type="email" inputMode="email" autoComplete="email" maxLength={320} />
        {problemOf('email')}
      </div>
      <div class={form.field}>
        <label for="left-message">{texts.message}</label>
        <textarea {...shared('message')} rows={4} maxLength={2_000} />
        {problemOf('message')}
      </div>
      {refusal && (
        <p class={css.problem} role="alert">
          {refusal}
        </p>
      )}
      <button type="submit" class={css.primary} disabled={state === 'busy'}>
        {texts.send}
      </button>
    </form>
  )
}
