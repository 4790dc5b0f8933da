import { variableCaps } from '../../engine/run/variables'
import type { Json } from '../../engine/values/json'
import { parseNumber, ruleMessages } from '../../engine/values/rules'

/** Types of a variable's initial value. */
export const valueTypes = ['unset', 'text', 'number', 'yes-no', 'list', 'object'] as const
export type ValueType = (typeof valueTypes)[number]

export function typeOf(value: Json): ValueType {
  if (value === null) return 'unset'
  if (Array.isArray(value)) return 'list'
  if (typeof value === 'boolean') return 'yes-no'
  return typeof value === 'string' ? 'text' : typeof value === 'number' ? 'number' : 'object'
}

/** Converts a value to the type, if possible. */
export function convert(value: Json, type: ValueType): Json {
  if (typeOf(value) === type) return value
  switch (type) {
    case 'unset':
      return null
    case 'text':
      return value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value)
    case 'number':
      return typeof value === 'string' ? (parseNumber(value) ?? 0) : 0
    case 'yes-no':
      return true
    case 'list':
      return value === null || value === '' ? [] : [value]
    case 'object':
      return {}
  }
}

/** The value as text in the field. */
export const print = (value: Json): string =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : value === null ? '' : String(value)

export type Typed = { value: Json } | { problem: 'notList' | 'notObject' | 'tooLarge' } | { message: string }

/** Parses text typed into a field of the type. */
export function read(text: string, type: ValueType): Typed {
  if (text.length > variableCaps.value) return { problem: 'tooLarge' }
  if (type === 'number') {
    const number = parseNumber(text)
    return number === null ? { message: ruleMessages.number } : { value: number }
  }
  if (type !== 'list' && type !== 'object') return { value: text }
  const value = parse(text)
  return value !== undefined && typeOf(value) === type
    ? { value }
    : { problem: type === 'list' ? 'notList' : 'notObject' }
}

function parse(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}
