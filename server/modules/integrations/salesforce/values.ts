import type { Json } from '../../../../engine/values/json'
import { VendorError } from '../calls/vendorError'
import type { Field } from './fields'

const NUMBERS: ReadonlySet<string> = new Set(['double', 'currency', 'percent', 'int', 'long'])
const YES = /^(?:true|yes|1)$/i
const NO = /^(?:false|no|0)$/i

/**
 * A text as a field takes it.
 * @returns null: empty, which clears the field; undefined: not to be sent, as the field can't be empty
 * @throws VendorError refused, naming the field, the value and what to do
 */
export function valueFor(field: Field, text: string): Json | undefined {
  const value = text.trim()
  const refuse = (detail: string) => new VendorError('refused', `“${field.label || field.name}” ${detail}`)
  const shown = value.length > 60 ? `${value.slice(0, 60)}…` : value
  if (field.type === 'boolean') {
    if (value === '') return undefined
    if (!YES.test(value) && !NO.test(value)) throw refuse(`takes true or false, not “${shown}”.`)
    return YES.test(value)
  }
  if (value === '') return null
  if (NUMBERS.has(field.type)) {
    const number = Number(value)
    if (!Number.isFinite(number)) throw refuse(`takes a number such as 1234.5, not “${shown}”.`)
    return number
  }
  if (field.type === 'datetime' && !Number.isNaN(Date.parse(value))) return new Date(value).toISOString()
  const values = field.picklistValues.filter(({ active }) => active).map((one) => one.value)
  if (field.restrictedPicklist && field.type === 'picklist' && !values.includes(value))
    throw refuse(`takes ${values.slice(0, 20).join(', ')}, not “${shown}”.`)
  if (field.length > 0 && value.length > field.length)
    throw refuse(`holds ${field.length} characters at most, and the value has ${value.length}. Shorten it.`)
  return value
}

/**
 * A value as SOQL writes it, quoted so that nothing in it is read as SOQL.
 * @returns null if the field can't have that value
 */
export function literalFor(field: Field, text: string): string | null {
  const value = text.trim()
  if (field.type === 'boolean') return YES.test(value) ? 'true' : NO.test(value) ? 'false' : null
  if (NUMBERS.has(field.type)) return /^-?\d{1,18}(?:\.\d{1,18})?$/.test(value) ? value : null
  if (field.type === 'date') return /^\d{4}-\d\d-\d\d$/.test(value) ? value : null
  if (field.type === 'datetime') return Number.isNaN(Date.parse(value)) ? null : new Date(value).toISOString()
  return value.length > (field.length || 255) ? null : quoted(value)
}

/** A text as SOQL writes it. Backslash, quotes and control characters would end it or be read otherwise. */
export const quoted = (text: string): string => `'${text.replace(SPECIAL, (sign) => ESCAPES[sign] ?? ' ')}'`
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const SPECIAL = /[\\'"\u0000-\u001f\u007f]/g
const ESCAPES: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  "'": "\\'",
  '"': '\\"',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\b': '\\b',
  '\f': '\\f',
}

/** Ids have 15 signs, which tell capitals apart, or 18, of which the last three are a check. */
export const isSalesforceId = (text: string): boolean => /^[A-Za-z0-9]{15}(?:[A-Za-z0-9]{3})?$/.test(text)
