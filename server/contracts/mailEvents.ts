import { z } from 'zod'
import { defineRoute } from './route'

/**
 * What SendGrid tells of mails (its Event Webhook): a list, in any order, and some of it twice. Signed with its own
 * key; what of it can't be read is left out.
 */
export const receiveMailEvents = defineRoute({
  method: 'POST',
  path: '/api/mail-events/sendgrid',
  access: {
    signature: {
      header: 'x-twilio-email-event-webhook-signature',
      timestamp: 'x-twilio-email-event-webhook-timestamp',
      encoding: 'base64',
    },
  },
  body: z.array(z.unknown()).max(5_000),
  answer: z.strictObject({}),
})
