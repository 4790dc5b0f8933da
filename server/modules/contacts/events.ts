import { z } from 'zod'
import { defineEvent } from '../../platform/events/defineEvent'

/** By its id alone: what is known of the person is erased with the row. `test`: a test did it. */
const contact = z.strictObject({ contact: z.string(), test: z.boolean() })

export const contactCreated = defineEvent('contact.created', contact)
export const contactChanged = defineEvent('contact.changed', contact)
export const contactDeleted = defineEvent('contact.deleted', contact)
