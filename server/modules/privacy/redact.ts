import type { Json } from '../../../engine/values/json'
import type { Redactable } from '../../contracts/privacy'

/** What stands where something was blacked out. */
export const BLACKED_OUT = '█████'

const patterns: Readonly<Record<Redactable, RegExp>> = {
  email: /[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,8}/gu,
  iban: /\b[A-Za-z]{2}\d{2}(?: ?[A-Za-z0-9]{4}){2,7}(?: ?[A-Za-z0-9]{1,3})?\b/g,
  card: /\b\d(?:[ -]?\d){12,18}\b/g,
  phone: /(?<![\p{L}\p{N}])\+?\(?\d(?:[ ()./-]{0,2}\d){6,14}(?![\p{L}\p{N}])/gu,
}

const is: Readonly<Record<Redactable, (found: string) => boolean>> = {
  email: () => true,
  iban: isIban,
  card: isCard,
  // a plain run of few digits is an order's number, or a date
  phone: (found) => /^\+|^0|[ ()./-]/.test(found) && !/^\d{4}-\d{2}-\d{2}$/.test(found),
}
/** The longer ones first: a card's number would be a phone's as well. */
const order: readonly Redactable[] = ['iban', 'card', 'email', 'phone']

/** A text with what is to be blacked out. Its time grows with its length alone. */
export function redactText(text: string, which: readonly Redactable[]): string {
  let redacted = text
  for (const kind of order)
    if (which.includes(kind))
      redacted = redacted.replace(patterns[kind], (found) => (is[kind](found) ? BLACKED_OUT : found))
  return redacted
}

/** The same for all texts in a value, not for the names in it. */
export function redactJson(value: Json, which: readonly Redactable[]): Json {
  if (typeof value === 'string') return redactText(value, which)
  if (Array.isArray(value)) return value.map((each) => redactJson(each, which))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, redactJson(each, which)]))
}

/** Values as they are stored: JSON, or plain text. */
export interface Stored {
  kind: 'json' | 'text'
  texts: readonly string[]
}

/** The same for stored values: null where nothing is to be blacked out. Foreign text: call it in a thread. */
export function redactAll({ kind, texts, which }: Stored & { which: readonly Redactable[] }): (string | null)[] {
  return texts.map((text) => {
    if (kind === 'text') {
      const redacted = redactText(text, which)
      return redacted === text ? null : redacted
    }
    const value = JSON.parse(text) as Json
    const before = JSON.stringify(value)
    const after = JSON.stringify(redactJson(value, which))
    return after === before ? null : after
  })
}

/** By its check digits (ISO 13616). */
function isIban(found: string): boolean {
  const text = found.replaceAll(' ', '').toUpperCase()
  if (text.length < 15 || text.length > 34) return false
  let rest = 0
  for (const sign of text.slice(4) + text.slice(0, 4)) {
    const digits = String(Number.parseInt(sign, 36))
    for (const digit of digits) rest = (rest * 10 + Number(digit)) % 97
  }
  return rest === 1
}

/** By its check digit (ISO 7812, Luhn). */
function isCard(found: string): boolean {
  const digits = [...found.replace(/\D/g, '')].reverse().map(Number)
  const sum = digits.reduce((total, digit, at) => {
    const doubled = at % 2 === 1 ? digit * 2 : digit
    return total + (doubled > 9 ? doubled - 9 : doubled)
  }, 0)
  return digits.length >= 13 && digits.length <= 19 && sum % 10 === 0
}
