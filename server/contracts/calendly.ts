import { z } from 'zod'
import { defineRoute, gid } from './route'

/** Bytes of what Calendly tells at once. */
const CALENDLY_BODY = 256_000

/**
 * What Calendly tells of bookings: in any order, some of it twice or late, and those of other programs too. Signed over
 * its time with a key of the connection or of the installation's app.
 */
export const receiveCalendly = defineRoute({
  method: 'POST',
  path: '/api/calendly/:connection',
  access: { signature: { header: 'calendly-webhook-signature', within: 180 } },
  params: z.strictObject({ connection: gid }),
  bodyLimit: CALENDLY_BODY,
  // read part by part: a schema of all of it would refuse what Calendly adds
  body: z.unknown(),
  answer: z.strictObject({}),
})
