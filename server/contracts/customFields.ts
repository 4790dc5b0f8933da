import { z } from 'zod'
import { cleanText } from '../../engine/values/cleanText'
import { customFieldCaps } from '../../engine/values/contactFields'
import { parseNumber, urlRule } from '../../engine/values/rules'
import { defineRoute, gid, ok } from './route'

/** Types of a project's own contact fields. */
export const customTypes = ['text', 'number', 'date', 'boolean', 'choice', 'url'] as const
export type CustomType = (typeof customTypes)[number]
/** Caps of choices; ours. */
export const choiceCaps = { name: 100, count: 50 } as const

const name = z
  .string()
  .trim()
  .min(1, 'Enter a name')
  .max(customFieldCaps.name, `Must not exceed ${customFieldCaps.name} characters`)
const choice = z
  .string()
  .trim()
  .min(1, 'Enter a choice')
  .max(choiceCaps.name, `Must not exceed ${choiceCaps.name} characters`)

export const customFieldSchema = z.strictObject({
  gid,
  /** what flows write it by: it never changes */
  name: z.string(),
  type: z.enum(customTypes),
  /** of `choice` */
  choices: z.array(z.string()),
  /** a column of the table of contacts */
  in_table: z.boolean(),
})
export type CustomField = z.infer<typeof customFieldSchema>
export type CustomFieldType = Pick<CustomField, 'type' | 'choices'>

const described = {
  type: z.enum(customTypes),
  choices: z
    .array(choice)
    .max(choiceCaps.count, `At most ${choiceCaps.count} choices`)
    .refine((choices) => new Set(choices.map((each) => each.toLowerCase())).size === choices.length, {
      message: 'Enter each choice once',
    })
    .default([]),
  in_table: z.boolean().default(false),
}
const wantsChoices = ({ type, choices }: { type: CustomType; choices: string[] }) =>
  type !== 'choice' || choices.length > 0
const choicesMissing = { message: 'Enter at least one choice', path: ['choices'] }

export const newCustomFieldSchema = z.strictObject({ name, ...described }).refine(wantsChoices, choicesMissing)
export const changedCustomFieldSchema = z.strictObject(described).refine(wantsChoices, choicesMissing)

const inProject = { pgid: gid }

/** The project's own fields of contacts, in the order of their creation. */
export const listCustomFields = defineRoute({
  method: 'GET',
  path: '/api/projects/:pgid/contact-fields',
  access: { feature: 'contacts.view' },
  params: z.strictObject(inProject),
  answer: z.strictObject({
    fields: z.array(customFieldSchema),
    /** names that flows or members have written, and that nobody described */
    others: z.array(z.string()),
  }),
})

/** Describes a field. Values that contacts have under its name stay, also those that are not of its type. */
export const createCustomField = defineRoute({
  method: 'POST',
  path: '/api/projects/:pgid/contact-fields',
  access: { feature: 'contacts.update' },
  params: z.strictObject(inProject),
  body: newCustomFieldSchema,
  answer: z.strictObject({ field: customFieldSchema }),
})

export const updateCustomField = defineRoute({
  method: 'PATCH',
  path: '/api/projects/:pgid/contact-fields/:gid',
  access: { feature: 'contacts.update' },
  params: z.strictObject({ ...inProject, gid }),
  body: changedCustomFieldSchema,
  answer: z.strictObject({ field: customFieldSchema }),
})

/** Deletes the description; the values stay, as free text. */
export const deleteCustomField = defineRoute({
  method: 'DELETE',
  path: '/api/projects/:pgid/contact-fields/:gid',
  access: { feature: 'contacts.update' },
  params: z.strictObject({ ...inProject, gid }),
  answer: ok,
})

const yes = new Set(['true', 'yes', 'y', '1', 'on'])
const no = new Set(['false', 'no', 'n', '0', 'off'])

/**
 * A text as a field's value: numbers as digits, dates as YYYY-MM-DD, `true` or `false`, a choice as it is spelled in
 * the list. An empty text clears the field.
 * @returns the value, or what is wrong with the text and what to write instead
 */
export function readCustomValue(
  { type, choices }: CustomFieldType,
  text: string,
): { value: string } | { problem: string } {
  if (text.length > customFieldCaps.value) return { problem: `Must not exceed ${customFieldCaps.value} characters` }
  const value = cleanText(text).trim()
  if (value === '') return { value }
  switch (type) {
    case 'text':
      return { value }
    case 'number': {
      const number = parseNumber(value)
      return number === null ? { problem: 'Enter a number such as 12 or 3.5' } : { value: plainNumber(number) }
    }
    case 'date':
      return z.iso.date().safeParse(value).success ? { value } : { problem: 'Enter a date as YYYY-MM-DD' }
    case 'boolean': {
      const word = value.toLowerCase()
      return yes.has(word) ? { value: 'true' } : no.has(word) ? { value: 'false' } : { problem: 'Enter yes or no' }
    }
    case 'choice': {
      const found = choices.find((each) => each.toLowerCase() === value.toLowerCase())
      return found === undefined ? { problem: `Choose one of: ${choices.join(', ')}` } : { value: found }
    }
    case 'url':
      return urlRule.test(value) ? { value } : { problem: urlRule.message }
  }
}

/** Without an exponent. */
const plainNumber = (number: number): string =>
  number.toLocaleString('en', { useGrouping: false, maximumFractionDigits: 10 })
