import { z } from 'zod'
import { defineEvent } from '../../platform/events/defineEvent'

const ofChatbot = z.strictObject({ chatbot: z.string() })
export const whatsappConnected = defineEvent('whatsapp.connected', ofChatbot.extend({ phone_number: z.string() }))
export const whatsappDisconnected = defineEvent('whatsapp.disconnected', ofChatbot)
/** What people see of the business. */
export const whatsappProfileChanged = defineEvent('whatsapp.profileChanged', ofChatbot)
/** A template was given to WhatsApp for approval. */
export const whatsappTemplateSubmitted = defineEvent(
  'whatsapp.templateSubmitted',
  ofChatbot.extend({ name: z.string(), language: z.string() }),
)
