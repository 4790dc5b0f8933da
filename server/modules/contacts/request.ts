import type { ContactCall } from '../../../engine/effects/contacts'
import { tooLong } from '../../../engine/values/caps'
import { cleanText } from '../../../engine/values/cleanText'
import {
  type ContactField,
  contactFieldCap,
  contactFieldProblem,
  customFieldCaps,
} from '../../../engine/values/contactFields'

/** A block's request with normalised values. */
export type ContactRequest = ContactCall

/** Normalises the values of a call. @returns the first invalid value's problem instead */
export function readContactCall(call: ContactCall): { request: ContactRequest } | { problem: string } {
  const key = { ...call.key, value: normalizedField(call.key.field, call.key.value) }
  const fields = mapped(call.fields, normalizedField) as ContactRequest['fields']
  const custom = mapped(call.custom, (_, value) => plain(value))
  if (key.value === '') return { problem: `The ${key.field} to find the contact by is empty.` }
  for (const [field, value] of [[key.field, key.value], ...Object.entries(fields)] as [ContactField, string][]) {
    const problem = contactFieldProblem(field, value)
    if (problem) return { problem: `${field}: ${problem}` }
  }
  const tooLarge = Object.entries(custom).find(([, value]) => value.length > customFieldCaps.value)
  if (tooLarge) return { problem: `${tooLarge[0]}: ${tooLong(customFieldCaps.value)}` }
  return { request: { ...call, key, fields, custom } }
}

const mapped = <Field extends string>(
  values: Partial<Record<Field, string>>,
  change: (field: Field, value: string) => string,
): Record<string, string> =>
  Object.fromEntries(
    Object.entries<string>(values as Record<Field, string>).map(([field, value]) => [
      field,
      change(field as Field, value),
    ]),
  )

const plain = (value: string): string => cleanText(value).trim()

/**
 * Phone numbers have one canonical form, so that they are found again; a text that is too long stays as it is, and is
 * refused.
 */
export function normalizedField(field: ContactField, given: string): string {
  const value = plain(given)
  return field === 'phone' && value.length <= 2 * contactFieldCap('phone') ? value.replace(/[\s()./-]/g, '') : value
}
