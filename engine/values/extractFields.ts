import { charge } from '../budget'
import { caps } from './caps'
import {
  findChoice,
  findDates,
  findEmails,
  findNumbers,
  findPhones,
  findUrls,
  findYesNo,
  withoutPhones,
} from './findValues'
import type { Json } from './json'
import { parseNumber } from './rules'

export const extractTypes = ['text', 'number', 'email', 'phone', 'date', 'url', 'yes-no', 'choice'] as const
export type ExtractType = (typeof extractTypes)[number]

/** A field to extract; `choices` are the labels of a choice. */
export interface ExtractField {
  readonly id: string
  readonly type: ExtractType
  readonly choices: readonly string[]
}

/**
 * Extracts the values of fields by rules alone. Texts come newest first, and the first with a value decides. Of two
 * fields of the same type, the second gets the next value. Free text has no rule: that needs a model.
 * @returns the values by field id, without fields that were not found
 */
export function extractFields(fields: readonly ExtractField[], texts: readonly string[]): Record<string, Json> {
  const taken: { type: ExtractType; value: Json }[] = []
  const found: Record<string, Json> = {}
  for (const field of fields) {
    const isFree = (value: Json) =>
      !ONE_EACH.has(field.type) || !taken.some((other) => other.type === field.type && other.value === value)
    const value = texts.flatMap((text) => valuesIn(textFor(field, fields, text), field)).find(isFree)
    if (value === undefined) continue
    taken.push({ type: field.type, value })
    found[field.id] = value
  }
  return found
}

/**
 * Validates a model's value for a field, by the same rules as a visitor's text.
 * @returns the value in the field's form, or null
 */
export function readExtracted(field: ExtractField, value: Json): Json {
  if (typeof value === 'number') return field.type === 'number' ? parseNumber(String(value)) : null
  if (typeof value === 'boolean') return field.type === 'yes-no' ? value : null
  if (typeof value !== 'string') return null
  const text = value.trim()
  charge(text.length * LETTER)
  if (field.type === 'text') return text !== '' && text.length <= caps.userMessage ? text : null
  if (field.type === 'choice') return field.choices.find((label) => same(label, text)) ?? null
  return valuesIn(text, field)[0] ?? null
}

/** The cost of searching a character for values. */
const LETTER = 50

/** If a phone number is wanted too, its digits are not a number. */
const textFor = (field: ExtractField, fields: readonly ExtractField[], text: string): string =>
  field.type === 'number' && fields.some(({ type }) => type === 'phone') ? withoutPhones(text) : text

const same = (label: string, text: string): boolean => label.trim().toLowerCase() === text.toLowerCase()

/** Types of which two fields may share one value, such as a yes. */
const ONE_EACH: ReadonlySet<ExtractType> = new Set(['number', 'email', 'phone', 'date', 'url'])

function valuesIn(text: string, { type, choices }: ExtractField): Json[] {
  switch (type) {
    case 'text':
      return []
    case 'number':
      return findNumbers(text)
    case 'email':
      return findEmails(text)
    case 'phone':
      return findPhones(text)
    case 'date':
      return findDates(text)
    case 'url':
      return findUrls(text)
    case 'yes-no':
      return [findYesNo(text) ?? []].flat()
    case 'choice':
      return [findChoice(text, choices) ?? []].flat()
  }
}
