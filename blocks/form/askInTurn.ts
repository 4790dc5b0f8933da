import type { Effect, InputRequest, Reply } from '../../engine/flow/effects'
import { listening, timeoutOf } from '../../engine/flow/inputFields'
import { ask, sayMessage, setVariable } from '../../engine/flow/steps'
import { caps, counts } from '../../engine/values/caps'
import type { Json } from '../../engine/values/json'
import { plainRichText } from '../../engine/values/richText'
import { type Entry, type FieldRequest, readEntry } from './readEntry'
import { type FormData, isSkippable } from './schema'

/** The two answers to a checkbox, which every language reads. */
const YES = '✓'
const NO = '✗'

type FormRequest = Extract<InputRequest, { input: 'form' }>

/**
 * Asks for a form's fields one after the other, on a channel that shows no forms. An invalid answer is told what is
 * wrong, and its field asked again, at most ten times. Nothing is saved before the last answer. Who skips a field
 * leaves it empty; a required one, or each, skips the form.
 * @returns the port to leave by
 */
export function* askInTurn(
  { fields }: FormRequest,
  data: FormData,
): Generator<Effect, 'next' | 'skip' | 'no-reply', unknown> {
  const skippable = isSkippable(data)
  const answers: Json[] = []
  let skipped = 0
  for (const field of fields) {
    const answer = yield* askField(field, data, skippable)
    if (answer === 'timeout') return 'no-reply'
    if (answer === 'given-up') return skippable ? 'skip' : 'next'
    if (answer === 'skipped') {
      if (field.required) return 'skip'
      skipped++
    }
    answers.push(typeof answer === 'string' ? emptyOf(field) : answer.value)
  }
  if (skippable && skipped === fields.length) return 'skip'
  for (const [at, value] of answers.entries()) {
    const saveTo = data.fields[at]?.saveTo
    if (saveTo) yield* setVariable(saveTo, value)
  }
  return 'next'
}

/** Asks until the answer is valid. */
function* askField(
  field: FieldRequest,
  data: FormData,
  formSkippable: boolean,
): Generator<Effect, { value: Json } | 'skipped' | 'timeout' | 'given-up', unknown> {
  const canSkip = !field.required || formSkippable
  const question = field.placeholder === '' ? field.label : `${field.label} (${field.placeholder})`
  const request = { ...requestOf(field, canSkip), ...timeoutOf(data) }
  let problem = ''
  for (let attempt = 1; attempt <= counts.attempts; attempt++) {
    yield* sayMessage({ kind: 'text', text: plainRichText([problem, question].filter(Boolean).join('\n')) })
    const reply = yield* ask(request, listening(data))
    if (reply.type === 'timeout') return 'timeout'
    if (reply.type === 'skip' && canSkip) return 'skipped'
    const read = readEntry(field, entryOf(reply, field))
    if ('value' in read) return read
    problem = read.problem
  }
  return 'given-up'
}

const emptyOf = ({ type }: FieldRequest): Json => (type === 'checkbox' ? false : null)

/** The question of a field by itself; what is known already is suggested. */
function requestOf({ type, maxLength, choices, value }: FieldRequest, canSkip: boolean): InputRequest {
  const known = typeof value === 'string' && value.length <= caps.quickReply ? value.trim() : ''
  const field = {
    ...{ placeholder: '', required: !canSkip },
    ...(known !== '' && { quickReplies: [{ id: 'known', label: known }] }),
  }
  const choose = (labels: readonly string[], multiple: boolean): InputRequest => ({
    ...{ input: 'choice', multiple, typing: false, placeholder: '', skippable: canSkip },
    options: labels.map((label, at) => ({ id: `choice-${at}`, label })),
  })
  switch (type) {
    case 'email':
    case 'phone':
    case 'url':
      return { input: type, ...field }
    case 'number':
      return { input: 'number', ...field, integer: false }
    case 'date':
      return { input: 'date', ...field, mode: 'date', range: false }
    case 'select':
    case 'multiple':
      return choose(choices, type === 'multiple')
    case 'checkbox':
      return choose([YES, NO], false)
    default:
      return { input: 'text', ...field, long: type === 'long-text', maxLength: maxLength ?? caps.userMessage }
  }
}

/** A reply as the entry that a form would have for the field. */
function entryOf(reply: Reply, { type, choices }: FieldRequest): Entry | undefined {
  const words = reply.type === 'text' ? [reply.text] : []
  if (reply.type !== 'choice') return type === 'multiple' ? words : type === 'checkbox' ? undefined : words[0]
  const labels = type === 'checkbox' ? ['true', ''] : choices
  const chosen = reply.optionIds.flatMap((id) => labels[Number(id.slice('choice-'.length))] ?? [])
  return type === 'multiple' ? chosen : chosen[0]
}
