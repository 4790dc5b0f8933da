import { z } from 'zod'
import type { Json } from '../../../../engine/values/json'
import { VendorError } from '../calls/vendorError'
import { grantOfToken, isToken } from '../connections/filled'
import { defineVendor } from '../defineVendor'
import { listEventTypes } from './choices'

/** Writing includes reading. */
const NEEDED = {
  'users:read': 'to know whose calendar it is',
  'event_types:read': 'to see what can be booked',
  'availability:read': 'to see free times',
  'scheduled_events:write': 'to make bookings',
  'scheduling_links:write': 'to offer links for one booking',
  'webhooks:write': 'to be told what becomes of bookings',
}

/** Calendly names no limit of reads: so many keep one chatbot from taking all. */
const CALLS = { bucket: 'calls', most: 50, windowMs: 60_000 }

export const calendly = defineVendor({
  slug: 'calendly',
  name: 'Calendly',
  oauth: ({ calendly: { client, authUrl } }) => ({
    client,
    authorizeUrl: `${authUrl}/oauth/authorize`,
    tokenUrl: `${authUrl}/oauth/token`,
    clientByBasic: true,
    revokeUrl: `${authUrl}/oauth/revoke`,
    revokesAsClient: true,
    scopes: Object.keys(NEEDED),
    needed: NEEDED,
    extra: {},
  }),
  byHand: [
    {
      way: 'calendly-token',
      fields: [{ name: 'token', max: 2_000, isSecret: true, problem: isToken }],
      renews: false,
      fieldOf: () => 'token',
      grant: async ({ token = '' }) => grantOfToken(token),
    },
  ],
  // what a paid account may book in a minute
  paces: { read: CALLS, write: CALLS, booking: { bucket: 'booking', most: 10, windowMs: 60_000 } },
  explain,
  async identify(call, { calendly: { apiUrl } }) {
    const answer = await call({ method: 'GET', url: `${apiUrl}/users/me`, kind: 'read' })
    const { uri, email } = userSchema.parse(answer).resource
    return { id: uri, name: email }
  },
  async check(call, { calendly: { apiUrl } }) {
    await call({ method: 'GET', url: `${apiUrl}/users/me`, kind: 'read' })
  },
  choices: { 'event-types': listEventTypes },
})

const userSchema = z.object({ resource: z.object({ uri: z.url().max(500), email: z.string().max(320) }) })
const errorSchema = z.object({
  title: z.string().catch(''),
  message: z.string().catch(''),
  details: z.array(z.object({ parameter: z.string().catch(''), message: z.string().catch('') })).catch([]),
})

function explain(status: number, body: Json, about: string): VendorError {
  const { message, details } = errorSchema.safeParse(body).data ?? { message: '', details: [] }
  const named = details.map((detail) => `${detail.parameter} ${detail.message}`.trim())
  const text = [message, ...named].filter((one) => one !== '').join(' ')
  if (status === 429) return new VendorError('busy', 'Calendly')
  if (status === 401) return new VendorError('reconnect', 'Calendly')
  if (status === 403) return new VendorError('forbidden', text || about)
  if (status === 404) return new VendorError('not_found', about)
  if (status === 409 || details.some(({ parameter }) => parameter === 'start_time'))
    return new VendorError('taken', text)
  if (status >= 500) return new VendorError('unavailable', `status ${status}`, { isUncertain: true })
  return new VendorError('refused', text || `status ${status}`)
}
