import { z } from 'zod'
import { caps, tooLong } from './caps'
import { type DynamicPart, type DynamicValue, dynamicValueLength, dynamicValueVariables } from './dynamicValue'
import { isLinkUrl } from './url'
import { splitPath, VALUE_PATH } from './valuePath'

/**
 * The address of a link in a rich text: one string, as marks are, in which `{{id}}` and `{{id.path}}` are variables.
 * Yjs decides whether two pieces of text have the same marks by a flat comparison, so an object would grow the document
 * with each key.
 */
const VARIABLE = new RegExp(String.raw`\{\{([A-Za-z0-9_-]{1,64}(?:${VALUE_PATH})?)\}\}`, 'gu')

/** The address as text and variables. */
export function readLink(link: string): DynamicValue {
  const parts = link.split(VARIABLE).flatMap((piece, at): DynamicPart[] => {
    if (at % 2 === 0) return piece === '' ? [] : [{ type: 'text', text: piece }]
    const { name, path } = splitPath(piece)
    return [{ type: 'variable', variable_id: name, ...(path !== undefined && { path }) }]
  })
  return parts.some(({ type }) => type === 'variable') ? { type: 'dynamic', parts } : { type: 'static', value: link }
}

/**
 * The inverse of readLink. Braces that would read as a variable are percent-encoded, as browsers do: addresses contain
 * none.
 */
export function writeLink(value: DynamicValue): string {
  const parts: readonly DynamicPart[] = value.type === 'static' ? [{ type: 'text', text: value.value }] : value.parts
  return parts
    .map((part) => (part.type === 'text' ? escapeBraces(part.text) : `{{${part.variable_id}${part.path ?? ''}}}`))
    .join('')
    .trim()
}

const escapeBraces = (text: string): string =>
  text.replace(VARIABLE, (found) => found.replaceAll('{', '%7B').replaceAll('}', '%7D'))

export const linkVariables = (link: string): string[] => dynamicValueVariables(readLink(link))

const NO_ADDRESS = 'Enter a valid address (must start with https://, http://, mailto: or tel:)'

/** Validates a link's address: its scheme, its length. One that begins with a variable is validated after rendering. */
export function linkProblem(value: DynamicValue): string | null {
  const [first] = value.type === 'static' ? [{ type: 'text' as const, text: value.value }] : value.parts
  if (first?.type === 'text' && !isLinkUrl(first.text.trimStart())) return NO_ADDRESS
  return dynamicValueLength(value) > caps.url ? tooLong(caps.url) : null
}

/** Ours: more than any address of `caps.url` characters with a few variables. */
const MAX_STORED = 8_192

export const linkSchema = z
  .string()
  .max(MAX_STORED)
  .superRefine((link, context) => {
    const problem = linkProblem(readLink(link))
    if (problem !== null) context.addIssue({ code: 'custom', message: problem })
  })
