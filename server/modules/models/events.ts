import { z } from 'zod'
import { defineEvent } from '../../platform/events/defineEvent'

/** A chatbot's model and other AI settings; `fields`: the changed ones. */
export const aiChanged = defineEvent(
  'ai.changed',
  z.strictObject({
    chatbot: z.string(),
    model: z.int(),
    fallback: z.int().nullable(),
    fields: z.array(z.string()),
  }),
)

const connection = z.strictObject({ connection: z.string(), provider: z.string() })
export const connectionCreated = defineEvent('connection.created', connection)
export const connectionChanged = defineEvent('connection.changed', connection)
export const connectionDeleted = defineEvent('connection.deleted', connection)

const localModel = z.strictObject({ model: z.string() })
export const localModelAdded = defineEvent('local_model.added', localModel)
export const localModelUsed = defineEvent('local_model.used', localModel.extend({ in_use: z.boolean() }))
/** How it is asked; `fields`: the changed ones. */
export const localModelChanged = defineEvent('local_model.changed', localModel.extend({ fields: z.array(z.string()) }))
export const localModelDeleted = defineEvent('local_model.deleted', localModel)
