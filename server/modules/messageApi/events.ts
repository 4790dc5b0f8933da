import { z } from 'zod'
import { defineEvent } from '../../platform/events/defineEvent'

const ofChatbot = z.strictObject({ chatbot: z.string() })
/** Turned on, or its answers go elsewhere. */
export const messageApiConnected = defineEvent('messageApi.connected', ofChatbot.extend({ url: z.string() }))
export const messageApiSecretRenewed = defineEvent('messageApi.secretRenewed', ofChatbot)
export const messageApiDisconnected = defineEvent('messageApi.disconnected', ofChatbot)
