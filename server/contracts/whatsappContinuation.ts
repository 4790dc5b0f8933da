import { z } from 'zod'
import { defineRoute, gid } from './route'

/**
 * A link by which the visitor of a web conversation goes on at WhatsApp, once, as the same contact. `conflict` where
 * the conversation is none of the web, or its chatbot has no number.
 */
export const offerWhatsapp = defineRoute({
  method: 'POST',
  path: '/api/projects/:pgid/inbox/conversations/:conversation/whatsapp-link',
  access: { feature: 'conversations.reply' },
  limit: { by: 'user', most: 60 },
  params: z.strictObject({ pgid: gid, conversation: gid }),
  answer: z.strictObject({ link: z.string(), expires_at: z.string() }),
})
