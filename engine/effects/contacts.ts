import { z } from 'zod'
import { contactFields, contactKeys, customFieldCaps } from '../values/contactFields'
import type { Json } from '../values/json'
import { defineEffect, optional } from './defineEffect'

/** A field that is empty is cleared; one that is missing stays as it is. Who handles it checks the values. */
const contactRequestSchema = z.strictObject({
  action: z.enum(['create', 'get', 'update', 'delete']),
  /** by what the contact is found */
  key: z.strictObject({ field: z.enum(contactKeys), value: z.string() }),
  fields: z.partialRecord(z.enum(contactFields), z.string()),
  /** the project's own fields */
  custom: z
    .record(z.string().min(1).max(customFieldCaps.name), z.string())
    .refine((fields) => Object.keys(fields).length <= customFieldCaps.count, 'There are too many fields.'),
  onDuplicate: z.enum(['skip', 'update', 'new']),
})

/** By the names of fields; null where nothing is known. */
const values = z.record(z.string(), z.custom<Json>()).catch({})

const contactSchema = z.object({ id: z.string(), fields: values, custom: values })

/** Makes, finds, changes or deletes a contact of the project. */
export const contactsEffect = defineEffect({
  name: 'contacts',
  request: contactRequestSchema,
  result: z.object({
    ok: z.boolean(),
    /** `not-found`, `duplicate` (with the contact that is there), or a sentence */
    error: optional(z.string()),
    contact: optional(contactSchema),
  }),
})
export type ContactCall = z.infer<typeof contactRequestSchema>
export type FoundContact = z.infer<typeof contactSchema>
