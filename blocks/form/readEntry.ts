import type { InputRequest } from '../../engine/flow/effects'
import { caps, visitorCaps } from '../../engine/values/caps'
import { parseDate } from '../../engine/values/date'
import { entryMessages, entryTooLong } from '../../engine/values/entryRules'
import type { Json } from '../../engine/values/json'
import { parsePhone } from '../../engine/values/parsePhone'
import { isPhone, parseEmail, parseNumber, parseUrl, ruleMessages } from '../../engine/values/rules'

export type FieldRequest = Extract<InputRequest, { input: 'form' }>['fields'][number]
export type Entry = string | string[]

/** The value of an entry, or its problem (SPEC.md 5). */
export type Read = { value: Json } | { problem: string }

/** Validates an entry of a field; an empty optional field is null, which clears an earlier value. */
export function readEntry({ type, required, choices }: FieldRequest, entry: Entry | undefined): Read {
  if (type === 'multiple') {
    const chosen = choices.filter((choice) => [entry ?? []].flat().includes(choice))
    if (chosen.length === 0) return required ? { problem: entryMessages.required } : { value: null }
    return { value: chosen }
  }
  const raw = [entry ?? ''].flat()[0] ?? ''
  const text = raw.trim()
  if (type === 'checkbox') {
    if (text === 'true') return { value: true }
    return required ? { problem: entryMessages.required } : { value: false }
  }
  if (text === '') return required ? { problem: entryMessages.required } : { value: null }
  if (text.length > LONGEST[type]) return { problem: entryTooLong(LONGEST[type]) }
  switch (type) {
    case 'email':
      return orProblem(parseEmail(text), entryMessages.email)
    case 'phone':
      // a form does not know the visitor's country: a number without country code is kept as typed
      return orProblem(parsePhone(text) ?? (isPhone(text) && !text.startsWith('+') ? text : null), ruleMessages.phone)
    case 'number':
      return orProblem(parseNumber(text), ruleMessages.number)
    case 'url':
      return orProblem(parseUrl(text), ruleMessages.url)
    case 'date':
      return orProblem(parseDate(text, 'date'), 'Enter a valid date')
    case 'select':
      return orProblem(choices.find((choice) => choice === raw) ?? null, 'Choose one of the options')
    default:
      return { value: text }
  }
}

type Typed = Exclude<FieldRequest['type'], 'multiple' | 'checkbox'>
const LONGEST: Record<Typed, number> = {
  text: caps.userMessage,
  'long-text': caps.userMessage,
  email: visitorCaps.email,
  phone: visitorCaps.phone,
  number: 64,
  url: visitorCaps.url,
  date: 40,
  select: caps.userMessage,
}

/** Most characters of a typed field; none for choices. */
export const longestOf = (type: FieldRequest['type']): { maxLength?: number } =>
  type === 'multiple' || type === 'checkbox' || type === 'select' || type === 'date' ? {} : { maxLength: LONGEST[type] }

const orProblem = (value: Json, problem: string): Read => (value === null ? { problem } : { value })
