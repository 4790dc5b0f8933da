/** @jsxImportSource preact */

import type { ChatTexts } from '../texts'
import type { ChatTransport } from '../transport'
import type { InputRequest, Reply } from '../types'
import { Choices } from './Choices'
import css from './chat.module.css'
import { Field } from './Field'
import { Later } from './Later'

export interface ComposerProps {
  request: InputRequest
  /** what was entered stays, out of sight: the bot is still saying something */
  hidden: boolean
  refusal: string | null
  busy: boolean
  texts: ChatTexts
  onSend: (reply: Reply, label: string) => void
  onUpload: ChatTransport['upload']
}

/** What each input is given, with the request that it is for. */
export type InputProps<Input extends InputRequest['input']> = Omit<ComposerProps, 'request'> & {
  request: Extract<InputRequest, { input: Input }>
}

const dateField = () => import('./DateField').then((part) => part.DateField)
const rating = () => import('./Rating').then((part) => part.Rating)
const formFields = () => import('./FormFields').then((part) => part.FormFields)
const fileField = () => import('./FileField').then((part) => part.FileField)

/** The input that the conversation waits for: choices, a field, a form; and, where it may be left out, a way past it. */
export function Composer(props: ComposerProps) {
  const { request, hidden, busy, texts, onSend } = props
  const skippable = request.input === 'choice' ? request.skippable : 'required' in request && !request.required
  const input = inputOf(props)
  if (!input && !skippable) return null
  return (
    <div class={css.composer} hidden={hidden}>
      {'quickReplies' in request && request.quickReplies && (
        <ul class={css.choices} aria-label={texts.suggestions}>
          {request.quickReplies.map(({ id, label }) => (
            <li key={id}>
              <button
                type="button"
                class={css.chip}
                disabled={busy}
                onClick={() => onSend({ type: 'text', text: label }, label)}
              >
                {label}
              </button>
            </li>
          ))}
        </ul>
      )}
      {input}
      {skippable && (
        <button type="button" class={css.quiet} disabled={busy} onClick={() => onSend({ type: 'skip' }, texts.skipped)}>
          {texts.skip}
        </button>
      )}
    </div>
  )
}

function inputOf(props: ComposerProps) {
  const { request } = props
  switch (request.input) {
    case 'choice': {
      const listed = request.shown !== 'cards'
      if (!listed && !request.typing) return null
      return (
        <>
          {listed && <Choices {...props} request={request} />}
          {request.typing && <Field {...props} request={request} />}
        </>
      )
    }
    case 'date':
      return <Later load={dateField} given={{ ...props, request }} />
    case 'rating':
      return <Later load={rating} given={{ ...props, request }} />
    case 'form':
      return <Later load={formFields} given={{ ...props, request }} />
    case 'file':
      return <Later load={fileField} given={{ ...props, request }} />
    case 'wait':
      return null
    default:
      return <Field {...props} request={request} />
  }
}
