import { z } from 'zod'
import { defineEvent } from '../../platform/events/defineEvent'

const chatbot = z.strictObject({ chatbot: z.string(), name: z.string() })

/** `copyOf`: the chatbot that it is a copy of; `template`: what it was begun with. */
export const chatbotCreated = defineEvent(
  'chatbot.created',
  chatbot.extend({ copyOf: z.string().optional(), template: z.string().optional() }),
)
/** `fields`: which of its settings. */
export const chatbotChanged = defineEvent('chatbot.changed', chatbot.extend({ fields: z.array(z.string()) }))
export const chatbotDeleted = defineEvent('chatbot.deleted', chatbot)
