import { z } from 'zod'
import { tooLong } from '../../../engine/values/caps'
import { cleanText } from '../../../engine/values/cleanText'
import {
  type ContactField,
  contactFieldCap,
  contactFieldProblem,
  contactFields,
  contactKeys,
  customFieldCaps,
} from '../../../engine/values/contactFields'

const text = z.string().transform((value) => cleanText(value).trim())

/** What a contact block asks the service `contacts` for. A field that is empty is cleared; one that is missing stays as it is. */
export const contactRequestSchema = z
  .strictObject({
    action: z.enum(['create', 'get', 'update', 'delete']),
    key: z.strictObject({ field: z.enum(contactKeys), value: text }),
    fields: z.partialRecord(z.enum(contactFields), text),
    custom: z
      .record(z.string().min(1).max(customFieldCaps.name), text)
      .refine((fields) => Object.keys(fields).length <= customFieldCaps.count, 'There are too many fields.'),
    onDuplicate: z.enum(['skip', 'update', 'new']),
  })
  .transform(({ key, fields, ...request }) => ({
    ...request,
    key: { ...key, value: normalized(key.field, key.value) },
    fields: Object.fromEntries(
      Object.entries(fields).map(([field, value]) => [field, normalized(field as ContactField, value)]),
    ) as Partial<Record<ContactField, string>>,
  }))
  .superRefine(({ key, fields, custom }, check) => {
    const refuse = (message: string) => check.addIssue({ code: 'custom', message })
    if (key.value === '') refuse(`The ${key.field} to find the contact by is empty.`)
    for (const [field, value] of [[key.field, key.value], ...Object.entries(fields)] as [ContactField, string][]) {
      const problem = contactFieldProblem(field, value)
      if (problem) refuse(`${field}: ${problem}`)
    }
    for (const [name, value] of Object.entries(custom)) {
      if (value.length > customFieldCaps.value) refuse(`${name}: ${tooLong(customFieldCaps.value)}`)
    }
  })
export type ContactRequest = z.infer<typeof contactRequestSchema>

/** One spelling a phone number, so that it is found again; what is too long to be one stays as it is, and is refused. */
const normalized = (field: ContactField, value: string): string =>
  field === 'phone' && value.length <= 2 * contactFieldCap('phone') ? value.replace(/[\s()./-]/g, '') : value
