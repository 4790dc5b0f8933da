import { charge } from '../budget'
import { cleanText } from './cleanText'
import { type DynamicValue, dynamicValueLength, dynamicValueToString } from './dynamicValue'
import type { Json } from './json'
import type { RenderedRichText } from './richText'
import { readValuePath } from './valuePath'

export type Variables = Readonly<Record<string, Json>>

/**
 * A value as text. Unset (null or absent) prints as nothing and is never an error (PRODUCT.md); lists print their items
 * separated by commas; objects print as JSON.
 */
export function printValue(value: Json | undefined): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string') return value
  if (typeof value !== 'object') return String(value)
  if (Array.isArray(value)) charge(value.length * ITEM)
  const text = Array.isArray(value) ? value.map(printValue).join(', ') : JSON.stringify(value)
  charge(text.length)
  return text
}

/** The cost of a list item in addition to its characters. */
const ITEM = 10

/**
 * The value of a variable, or of a part of it; null if missing. Only own keys: a variable may be called `constructor`.
 */
export const variableValue = (variables: Variables, variableId: string | null, path?: string): Json =>
  variableId !== null && Object.hasOwn(variables, variableId)
    ? readValuePath(variables[variableId] ?? null, path)
    : null

/** Whether a value prints only whitespace. A list of several prints at least a comma, an object its braces. */
export function isUnset(value: Json): boolean {
  let item: Json | undefined = value
  while (Array.isArray(item) && item.length < 2) item = item[0]
  return item === null || item === undefined || (typeof item === 'string' && item.trim() === '')
}

/** The most characters that variables add to one text: a few chips of a large value must not fill the memory. */
export const MAX_RENDERED = 100_000

/** The cost of a variable in a text in addition to its characters. */
const CHIP = 50

/** Prints variables one after another until `MAX_RENDERED` characters are used up. */
export function printer(variables: Variables): (variableId: string, path?: string) => string {
  let left = MAX_RENDERED
  return (variableId, path) => {
    const whole = printValue(variableValue(variables, variableId, path))
    charge(CHIP + Math.min(whole.length, left))
    const text = whole.length > left ? cleanText(whole.slice(0, left)) : whole
    left -= text.length
    return text
  }
}

export function renderText(value: DynamicValue, variables: Variables): string {
  charge(dynamicValueLength(value))
  return dynamicValueToString(value, printer(variables))
}

/** Like `renderText`, but a value that consists of a single variable keeps its type: a list stays a list. */
export function resolveValue(value: DynamicValue, variables: Variables): Json {
  const only = value.type === 'dynamic' && value.parts.length === 1 ? value.parts[0] : undefined
  return only?.type === 'variable'
    ? variableValue(variables, only.variable_id, only.path)
    : renderText(value, variables)
}

/** No text in any paragraph. */
export const isBlank = (text: RenderedRichText): boolean =>
  text.every((paragraph) => paragraph.children.every((child) => child.text.trim() === ''))
