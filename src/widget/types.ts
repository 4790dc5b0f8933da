/** The wire's types, by name: types only, so that nothing of the server comes into the bundle. */
import type { z } from 'zod'
import type { ChatMessage, Conversation, inputRequestSchema, replySchema } from '../../server/api/chat/contract'

export type { ChatMessage, Conversation }
export type InputRequest = z.infer<typeof inputRequestSchema>
export type Reply = z.infer<typeof replySchema>
