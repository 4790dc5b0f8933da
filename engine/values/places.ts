import { charge } from '../budget'
import { cleanText } from './cleanText'
import type { DynamicValue } from './dynamicValue'
import type { Json } from './json'
import { MAX_RENDERED, printValue, renderText, type Variables, variableValue } from './render'

/**
 * Values put into places where they could be read as something else: an address, a header, JSON. What an editor wrote stays as it
 * is; what a variable holds is escaped for the place it lands in.
 */

/**
 * An address. A variable at its very beginning is the address, or its beginning, as it is; one in the host may name a host and a port;
 * everywhere behind it is one component. In a mail's address and a phone number `@`, `,` and `+` stay.
 * @returns null where a variable would climb up the path (`..`)
 */
export function renderUrl(url: DynamicValue, variables: Variables): string | null {
  let climbs = false
  const rendered = renderEach(url, variables, (text, before) => {
    const placed = placeInUrl(text, before)
    climbs ||= placed === null
    return placed ?? ''
  })
  return climbs ? null : rendered.trim()
}

/** A value behind this beginning of an address; null where it would climb up the path. */
export function placeInUrl(text: string, before: string): string | null {
  if (before.trim() === '') return text.trim()
  if (/^\.{1,2}$/.test(text) && /\/$/.test(before) && !/[?#]/.test(before)) return null
  const component = encodeURIComponent(text)
  if (/^\s*(?:mailto|tel):[^?]*$/i.test(before)) return component.replace(/%40|%2B|%2C/g, decodeURIComponent)
  return /^\s*https?:\/\/[^/?#]*$/i.test(before) ? component.replace(/%3A/g, ':') : component
}

/** A header's value: one line, without control characters. */
export const renderHeader = (value: DynamicValue, variables: Variables): string => oneLine(renderText(value, variables))

/** Without control characters: they would end a header, or break it. */
export const oneLine = (text: string): string =>
  text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these would end the header, or break it
    .replace(/[\x00-\x1f\x7f]+/g, ' ')
    .trim()

/**
 * JSON. Within quotes a variable prints as text; standing alone as a value it keeps its type, and unset is null.
 * @returns null where what comes out is larger than `MAX_RENDERED` beside what the editor wrote
 */
export function renderJson(template: DynamicValue, variables: Variables): string | null {
  if (template.type === 'static') return template.value
  let quoted = false
  let left = MAX_RENDERED
  const parts = template.parts.map((part) => {
    if (part.type === 'text') {
      quoted = endsQuoted(part.text, quoted)
      return part.text
    }
    const value: Json = variableValue(variables, part.variable_id, part.path)
    if (left < 0) return ''
    const json = quoted ? JSON.stringify(printValue(value)).slice(1, -1) : JSON.stringify(value)
    charge(PLACE + json.length)
    left -= json.length
    return json
  })
  return left < 0 ? null : parts.join('')
}

/** Whether a string is open behind this piece of JSON, when it was open before or not. */
export function endsQuoted(text: string, quoted: boolean): boolean {
  let open = quoted
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '"') open = !open
    else if (open && text[at] === '\\') at++
  }
  return open
}

/** What a variable in such a place costs, and a character that is escaped for it. */
const PLACE = 100
const ESCAPED = 10

function renderEach(
  value: DynamicValue,
  variables: Variables,
  place: (text: string, before: string) => string,
): string {
  if (value.type === 'static') return value.value
  let left = MAX_RENDERED
  return value.parts.reduce((before, part) => {
    if (part.type === 'text') return before + part.text
    const whole = printValue(variableValue(variables, part.variable_id, part.path))
    const text = cleanText(whole.slice(0, left))
    // what stands before it is looked at, to tell where it lands
    charge(PLACE + before.length + text.length * ESCAPED)
    left -= text.length
    return before + place(text, before)
  }, '')
}
