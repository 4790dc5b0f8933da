/** @jsxImportSource preact */

import type { InputRequest } from '../types'
import { Choices } from './Choices'
import css from './chat.module.css'
import { LONGEST } from './checkEntry'
import { Field, type FieldRequest } from './Field'
import type { ComposerProps } from './inputProps'
import { Later } from './Later'

const dateField = () => import('./DateField').then((part) => part.DateField)
const rating = () => import('./Rating').then((part) => part.Rating)
const formFields = () => import('./FormFields').then((part) => part.FormFields)
const fileField = () => import('./FileField').then((part) => part.FileField)

/**
 * The input that the conversation expects: choices, a field or a form; and a way to skip optional questions. The field
 * stays mounted between questions, so that a phone keeps its keyboard open.
 */
export function Composer(props: ComposerProps) {
  const { request, question, hidden, busy, texts, queries, onSend } = props
  const typed = hidden ? (typedOf(request) ?? ANYTHING) : typedOf(request)
  const skippable =
    request?.input === 'choice' ? request.skippable : request && 'required' in request && !request.required
  const input = request && inputOf({ ...props, request })
  if (!input && !typed && !skippable) return null
  return (
    <div class={css.composer} data-composer>
      {!hidden && request && 'quickReplies' in request && request.quickReplies && (
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
      {!hidden && typed && queries.length > 0 && takesWords(request) && (
        <ul class={`${css.choices} ${css.queries}`} aria-label={texts.suggestions}>
          {queries.map(({ label, value }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two queries may be alike
            <li key={index}>
              <button
                type="button"
                class={css.chip}
                disabled={busy}
                onClick={() => onSend({ type: 'text', text: value || label }, label)}
              >
                {label}
              </button>
            </li>
          ))}
        </ul>
      )}
      {input && (
        <div key={question} class={css.input} hidden={hidden}>
          {input}
        </div>
      )}
      {typed && <Field key="field" {...props} request={typed} />}
      {skippable && !hidden && (
        <button type="button" class={css.quiet} disabled={busy} onClick={() => onSend({ type: 'skip' }, texts.skipped)}>
          {texts.skip}
        </button>
      )}
    </div>
  )
}

/** What a line stands for while nothing is asked. */
const ANYTHING = { input: 'text', placeholder: '', required: true, long: false, maxLength: LONGEST } as const

/** What is answered by typing; null: nothing. */
function typedOf(request: InputRequest | null): FieldRequest | null {
  switch (request?.input) {
    case 'text':
    case 'email':
    case 'phone':
    case 'url':
    case 'number':
      return request
    case 'choice':
      return request.typing ? request : null
    default:
      return null
  }
}

/** Whether anything may be said: a query is no answer to a question for an address or a number. */
const takesWords = (request: InputRequest | null): boolean =>
  request?.input === 'text' || (request?.input === 'choice' && request.typing === true)

/** What is answered otherwise. */
function inputOf(props: ComposerProps & { request: InputRequest }) {
  const { request } = props
  switch (request.input) {
    case 'choice':
      return request.shown === 'cards' ? null : <Choices {...props} request={request} />
    case 'date':
      return <Later load={dateField} given={{ ...props, request }} />
    case 'rating':
      return <Later load={rating} given={{ ...props, request }} />
    case 'form':
      return <Later load={formFields} given={{ ...props, request }} />
    case 'file':
      return <Later load={fileField} given={{ ...props, request }} />
    default:
      return null
  }
}
