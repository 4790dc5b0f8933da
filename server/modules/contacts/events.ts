import { z } from 'zod'
import { defineEvent } from '../../platform/events/defineEvent'

/** Only the id: personal data is erased with the row. `test`: caused by a test. */
const contact = z.strictObject({ contact: z.string(), test: z.boolean() })

export const contactCreated = defineEvent('contact.created', contact)
export const contactChanged = defineEvent('contact.changed', contact)
export const contactDeleted = defineEvent('contact.deleted', contact)
