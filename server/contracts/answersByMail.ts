import { z } from 'zod'
import { defineRoute } from './route'

/** Of a mail's link: no slug of a chatbot is a single hyphen. */
const params = z.strictObject({ token: z.string().min(1).max(64) })
const path = '/api/chat/-/mails/:token/unsubscribe'

/** A page that asks whether such mails are to end: programs that follow links end nothing. */
export const showUnsubscribe = defineRoute({
  method: 'GET',
  path,
  access: 'public',
  limit: { by: 'address', most: 60 },
  params,
  answer: z.unknown(),
})
/** Ends people's answers by mail to the addresses of a conversation, in its project (RFC 8058). */
export const endAnswersByMail = defineRoute({
  method: 'POST',
  path,
  access: 'public',
  limit: { by: 'address', most: 60 },
  params,
  answer: z.unknown(),
})
