import { z } from 'zod'
import { defineEvent } from '../../platform/events/defineEvent'

const chatbot = z.strictObject({ chatbot: z.string(), name: z.string() })

/** `copyOf`: the chatbot that it is a copy of; `template`: the template it was created from. */
export const chatbotCreated = defineEvent(
  'chatbot.created',
  chatbot.extend({ copyOf: z.string().optional(), template: z.string().optional() }),
)
/** `fields`: the changed settings. */
export const chatbotChanged = defineEvent('chatbot.changed', chatbot.extend({ fields: z.array(z.string()) }))
export const chatbotDeleted = defineEvent('chatbot.deleted', chatbot)
