import { z } from 'zod'
import { defineEvent } from '../../platform/events/defineEvent'

/** The name, never the value. */
const secret = z.strictObject({ secret: z.string(), name: z.string() })

export const secretCreated = defineEvent('secret.created', secret)
/** Its value was replaced. */
export const secretReplaced = defineEvent('secret.replaced', secret)
export const secretDeleted = defineEvent('secret.deleted', secret)
