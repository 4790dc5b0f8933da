import { z } from 'zod'
import { contactFields, contactKeys, customFieldCaps } from '../values/contactFields'
import type { Json } from '../values/json'
import { defineEffect, optional } from './defineEffect'

/** An empty field is cleared; an absent one stays as it is. The handler validates the values. */
const contactRequestSchema = z.strictObject({
  action: z.enum(['create', 'get', 'update', 'delete']),
  /** the field that identifies the contact */
  key: z.strictObject({ field: z.enum(contactKeys), value: z.string() }),
  fields: z.partialRecord(z.enum(contactFields), z.string()),
  /** the project's custom fields */
  custom: z
    .record(z.string().min(1).max(customFieldCaps.name), z.string())
    .refine((fields) => Object.keys(fields).length <= customFieldCaps.count, 'There are too many fields.'),
  onDuplicate: z.enum(['skip', 'update', 'new']),
})

/** By field name; null if unknown. */
const values = z.record(z.string(), z.custom<Json>()).catch({})

const contactSchema = z.object({ id: z.string(), fields: values, custom: values })

/** Creates, finds, updates or deletes a contact of the project. */
export const contactsEffect = defineEffect({
  name: 'contacts',
  request: contactRequestSchema,
  result: z.object({
    ok: z.boolean(),
    /** `not-found`, `duplicate` (with the existing contact), or a sentence */
    error: optional(z.string()),
    contact: optional(contactSchema),
  }),
})
export type ContactCall = z.infer<typeof contactRequestSchema>
export type FoundContact = z.infer<typeof contactSchema>
