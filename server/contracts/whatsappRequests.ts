import { z } from 'zod'
import { jsonSchema } from '../../engine/values/json'
import { defineRoute, gid } from './route'

/**
 * The bodies of the calls that would send the bot's messages of a tester's conversation, by the messages' numbers; none
 * for what says nothing.
 */
export const previewWhatsapp = defineRoute({
  method: 'GET',
  path: '/api/projects/:pgid/chatbots/:cgid/whatsapp/previews/:conversation',
  access: { feature: 'playground.use' },
  limit: { by: 'user', most: 240 },
  params: z.strictObject({ pgid: gid, cgid: gid, conversation: gid }),
  answer: z.strictObject({
    messages: z.array(z.strictObject({ seq: z.int(), requests: z.array(jsonSchema) })),
  }),
})
