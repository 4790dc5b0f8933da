import { z } from 'zod'
import { defineEvent } from '../../platform/events/defineEvent'

/** An endpoint by its gid. */
const endpoint = z.strictObject({ endpoint: z.string() })
export const webhookCreated = defineEvent('webhook.created', endpoint)
/** Its settings, or its secret. */
export const webhookChanged = defineEvent('webhook.changed', endpoint)
export const webhookDeleted = defineEvent('webhook.deleted', endpoint)
/** It was switched off by itself. */
export const webhookStopped = defineEvent('webhook.stopped', endpoint.extend({ reason: z.enum(['failures', 'gone']) }))
/** Messages are sent again. */
export const webhookReplayed = defineEvent('webhook.replayed', endpoint.extend({ count: z.int() }))
/** The address of a trigger that other programs call is another, or its secret. */
export const triggerChanged = defineEvent(
  'webhookTrigger.changed',
  z.strictObject({ chatbot: z.string(), block: z.string() }),
)
