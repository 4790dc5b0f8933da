import { z } from 'zod'
import { defineEvent } from '../../platform/events/defineEvent'

const ofChatbot = z.strictObject({ chatbot: z.string() })
export const whatsappConnected = defineEvent('whatsapp.connected', ofChatbot.extend({ phone_number: z.string() }))
export const whatsappDisconnected = defineEvent('whatsapp.disconnected', ofChatbot)
/** What people see of the business. */
export const whatsappProfileChanged = defineEvent('whatsapp.profileChanged', ofChatbot)
const ofBroadcast = ofChatbot.extend({ broadcast: z.string() })
export const whatsappBroadcastStarted = defineEvent(
  'whatsapp.broadcastStarted',
  ofBroadcast.extend({ name: z.string(), count: z.int() }),
)
export const whatsappBroadcastStopped = defineEvent('whatsapp.broadcastStopped', ofBroadcast)
export const whatsappBroadcastResumed = defineEvent('whatsapp.broadcastResumed', ofBroadcast)
/** A member made a link by which a visitor of the web can go on here, or the visitor asked for it. */
export const whatsappOffered = defineEvent('whatsapp.offered', ofChatbot.extend({ conversation: z.string() }))
/** A template was given to WhatsApp for approval. */
export const whatsappTemplateSubmitted = defineEvent(
  'whatsapp.templateSubmitted',
  ofChatbot.extend({ name: z.string(), language: z.string() }),
)
