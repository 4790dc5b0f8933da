import { z } from 'zod'
import { clientMessageId } from './chat'
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

/**
 * A link by which somebody at WhatsApp goes on on the web, once, as the same contact and with what they have answered.
 * `conflict` where the conversation is none of WhatsApp, or the chatbot's shared page is not open to everybody.
 */
export const offerWeb = defineRoute({
  method: 'POST',
  path: '/api/projects/:pgid/inbox/conversations/:conversation/web-link',
  access: { feature: 'conversations.reply' },
  limit: { by: 'user', most: 60 },
  params: z.strictObject({ pgid: gid, conversation: gid }),
  answer: z.strictObject({ link: z.string(), expires_at: z.string() }),
})

/**
 * Such a link for the visitor, who asks for it on the web. `not_found` where the chatbot's look does not offer it, or
 * the chatbot has no number.
 */
export const askForWhatsapp = defineRoute({
  method: 'POST',
  path: '/api/chat/:slug/conversations/:conversation/whatsapp-link',
  access: 'visitor',
  load: 'turn',
  limit: { by: 'address', most: 60 },
  params: z.strictObject({ slug: z.string().max(64), conversation: gid }),
  answer: z.strictObject({ link: z.string(), expires_at: z.string() }),
})

/** The form of a link's token, which stands in the fragment of its address. */
const linkToken = z.string().regex(/^[0-9a-f]{32}$/)

/** Opens such a link from the page that it leads to. `not_found` where it was used by another page, or is too old. */
export const openLink = defineRoute({
  method: 'POST',
  path: '/api/chat/:slug/from-whatsapp',
  access: 'public',
  limit: { by: 'address', most: 'chatStartsPerMinute' },
  load: 'turn',
  params: z.strictObject({ slug: z.string().max(64) }),
  body: z.strictObject({ client_id: clientMessageId, token: linkToken }),
  answer: z.strictObject({ conversation: gid, token: z.string() }),
})
