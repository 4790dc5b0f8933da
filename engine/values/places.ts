import { charge } from '../budget'
import { cleanText } from './cleanText'
import type { DynamicValue } from './dynamicValue'
import type { Json } from './json'
import { MAX_RENDERED, printValue, renderText, type Variables, variableValue } from './render'

/**
 * Inserts values where they could change the meaning of the text: in an address, a header, JSON. An editor's text is
 * kept; a variable's value is escaped for its place.
 */

/**
 * Renders an address. A variable at its very start may be the address or its beginning; one in the host may be a host
 * and a port; anywhere later it is escaped as one component. In mailto: and tel: addresses `@`, `,` and `+` stay.
 * @returns null if a variable would leave its path segment (`..`)
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

/** A value escaped to follow this beginning of an address; null if it would leave its path segment. */
export function placeInUrl(text: string, before: string): string | null {
  if (before.trim() === '') return text.trim()
  if (/^\.{1,2}$/.test(text) && /\/$/.test(before) && !/[?#]/.test(before)) return null
  const component = encodeURIComponent(text)
  if (/^\s*(?:mailto|tel):[^?]*$/i.test(before)) return component.replace(/%40|%2B|%2C/g, decodeURIComponent)
  return /^\s*https?:\/\/[^/?#]*$/i.test(before) ? component.replace(/%3A/g, ':') : component
}

/** A header's value: one line, without control characters. */
export const renderHeader = (value: DynamicValue, variables: Variables): string => oneLine(renderText(value, variables))

/** Removes control characters, which would end or break a header. */
export const oneLine = (text: string): string =>
  text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these would end the header, or break it
    .replace(/[\x00-\x1f\x7f]+/g, ' ')
    .trim()

/**
 * Renders JSON. Within quotes a variable is printed as text; standing alone as a value it keeps its type, and unset is
 * null.
 * @returns null if the values add more than `MAX_RENDERED` characters
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

/** Whether a string literal is open after this piece of JSON, given whether one was open before. */
export function endsQuoted(text: string, quoted: boolean): boolean {
  let open = quoted
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '"') open = !open
    else if (open && text[at] === '\\') at++
  }
  return open
}

/** The cost of a variable in such a place, and of an escaped character. */
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
    // the preceding text is examined to find the place
    charge(PLACE + before.length + text.length * ESCAPED)
    left -= text.length
    return before + place(text, before)
  }, '')
}
