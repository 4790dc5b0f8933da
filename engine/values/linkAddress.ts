import { z } from 'zod'
import { caps, tooLong } from './caps'
import { type DynamicPart, type DynamicValue, dynamicValueLength, dynamicValueVariables } from './dynamicValue'
import { isLinkUrl } from './url'
import { splitPath, VALUE_PATH } from './valuePath'

/**
 * The address of a link in a rich text. It is one string, as marks are: `{{id}}` and `{{id.path}}` stand for variables. Yjs tells whether
 * two pieces of text look the same by comparing their marks flat, so an object there would grow the document with each key.
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

/** The way back. Braces that would be taken for a variable are escaped, as browsers do: they are none of the characters of an address. */
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

/**
 * What is wrong with an address that somebody gives a link: how it begins, its length. One that begins with a variable can't be told
 * before the variable is known; it is looked at again then.
 */
export function linkProblem(value: DynamicValue): string | null {
  const [first] = value.type === 'static' ? [{ type: 'text' as const, text: value.value }] : value.parts
  if (first?.type === 'text' && !isLinkUrl(first.text.trimStart())) return NO_ADDRESS
  return dynamicValueLength(value) > caps.url ? tooLong(caps.url) : null
}

/** Ours: more than any address of `caps.url` characters and a few variables takes. */
const MAX_STORED = 8_192

export const linkSchema = z
  .string()
  .max(MAX_STORED)
  .superRefine((link, context) => {
    const problem = linkProblem(readLink(link))
    if (problem !== null) context.addIssue({ code: 'custom', message: problem })
  })
