import { z } from 'zod'
import { defineEvent } from '../../platform/events/defineEvent'

/** Only the id: personal data is erased with the row. `test`: caused by a test. */
const contact = z.strictObject({ contact: z.string(), test: z.boolean() })

export const contactCreated = defineEvent('contact.created', contact)
export const contactChanged = defineEvent('contact.changed', contact)
export const contactDeleted = defineEvent('contact.deleted', contact)

/** Somebody can be reached. `conversation`: where they said so; null: outside of one. */
export const leadCreated = defineEvent(
  'lead.created',
  z.strictObject({ lead: z.string(), conversation: z.string().nullable() }),
)

/** A project's own fields: described, changed or taken away. */
export const contactFieldsChanged = defineEvent('contact_fields.changed', z.strictObject({ field: z.string() }))

const segment = z.strictObject({ segment: z.string() })
export const segmentChanged = defineEvent('segment.changed', segment)
export const segmentDeleted = defineEvent('segment.deleted', segment)

/** An import was uploaded, checked, begun or deleted. */
export const contactImportChanged = defineEvent(
  'contact_import.changed',
  z.strictObject({ import: z.string(), status: z.enum(['parsed', 'checking', 'running', 'deleted']) }),
)
/** One for all of an import: nobody is told of each of its contacts. */
export const contactsImported = defineEvent(
  'contacts.imported',
  z.strictObject({ import: z.string(), created: z.int(), updated: z.int() }),
)

const merged = z.strictObject({ contact: z.string(), merged: z.string() })

/** Two were the same person: the second is not there any more. */
export const contactMerged = defineEvent('contact.merged', merged)
export const contactUnmerged = defineEvent('contact.unmerged', merged)
