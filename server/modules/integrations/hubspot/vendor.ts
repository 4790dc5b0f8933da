import { z } from 'zod'
import type { Json } from '../../../../engine/values/json'
import { VendorError } from '../calls/vendorError'
import { grantOfToken, isToken } from '../connections/filled'
import { defineVendor } from '../defineVendor'
import { listProperties } from './choices'
import { VERSION } from './objects'

const NEEDED = {
  'crm.objects.contacts.read': 'to see contacts',
  'crm.objects.contacts.write': 'to create and change contacts',
  'crm.objects.companies.read': 'to see companies',
  'crm.objects.companies.write': 'to create and change companies',
  tickets: 'to see, create and change tickets',
}
/** For the lists in forms. */
const LISTS = ['oauth', 'crm.schemas.contacts.read', 'crm.schemas.companies.read', 'crm.objects.owners.read']

/** All calls but searches share one window. So many have the smallest plans; answers say how many the account has. */
const CALLS = { bucket: 'calls', most: 100, windowMs: 10_000 }
/** More than any plan has. */
const MOST_CALLS = 1_000

export const hubspot = defineVendor({
  slug: 'hubspot',
  name: 'HubSpot',
  oauth: ({ hubspot: { client, appUrl, apiUrl } }) => ({
    client,
    authorizeUrl: `${appUrl}/oauth/authorize`,
    tokenUrl: `${apiUrl}/oauth/${VERSION}/token`,
    revokeUrl: `${apiUrl}/oauth/${VERSION}/token/revoke`,
    revokesAsClient: true,
    scopes: [...LISTS, ...Object.keys(NEEDED)],
    needed: NEEDED,
    extra: {},
  }),
  byHand: [
    {
      way: 'hubspot-token',
      fields: [
        {
          name: 'account',
          max: 20,
          problem: (value) => (/^\d+$/.test(value) ? null : `“${value}” is not a HubSpot ID: enter digits only`),
        },
        { name: 'token', max: 500, isSecret: true, problem: isToken },
      ],
      renews: false,
      fieldOf: () => 'token',
      grant: async ({ token = '' }) => grantOfToken(token),
    },
  ],
  paces: { read: CALLS, write: CALLS, search: { bucket: 'search', most: 4, windowMs: 1_000 } },
  mostOf(headers) {
    const [most, interval] = ['max', 'interval-milliseconds'].map((name) =>
      Number(headers[`x-hubspot-ratelimit-${name}`]),
    )
    const isOfWindow = interval === CALLS.windowMs && Number.isInteger(most)
    return isOfWindow && most !== undefined && most >= 1 && most <= MOST_CALLS ? most : null
  },
  explain,
  tokenProblem: (body) => {
    const { category, status } = tokenErrorSchema.safeParse(body).data ?? { category: '', status: '' }
    if (category === 'BAD_REFRESH_TOKEN' || status === 'BAD_REFRESH_TOKEN') return 'reconnect'
    return category === 'BAD_CLIENT_ID' || category === 'BAD_CLIENT_SECRET' ? 'client' : null
  },
  async identify(call, { hubspot: { client, apiUrl } }, granted, { account }) {
    // a private app's token can't be asked whose it is
    if (account !== undefined) return { id: account, name: `HubSpot ${account}` }
    const { hub_id, access_token } = grantedSchema.parse(granted)
    const form = { token: access_token, client_id: client?.id ?? '', client_secret: client?.secret ?? '' }
    const url = `${apiUrl}/oauth/${VERSION}/token/introspect`
    const { user } = userSchema.parse(await call({ method: 'POST', url, form, kind: 'read' }))
    return { id: String(hub_id), name: user ? `${user} (${hub_id})` : `HubSpot ${hub_id}` }
  },
  async check(call, { hubspot: { apiUrl } }) {
    await call({ method: 'GET', url: `${apiUrl}/crm/objects/${VERSION}/contacts`, query: { limit: '1' }, kind: 'read' })
  },
  choices: { properties: listProperties },
})

const tokenErrorSchema = z.object({ category: z.string().catch(''), status: z.string().catch('') })
const grantedSchema = z.object({ hub_id: z.int(), access_token: z.string() })
const userSchema = z.object({ user: z.string().max(320).optional() })
const errorSchema = z.object({
  category: z.string().catch(''),
  message: z.string().catch(''),
  errors: z
    .array(z.object({ message: z.string().catch(''), context: z.record(z.string(), z.array(z.string())).catch({}) }))
    .catch([]),
})

function explain(status: number, body: Json, about: string): VendorError {
  const { category, message, errors } = errorSchema.safeParse(body).data ?? { category: '', message: '', errors: [] }
  if (status === 429 || category === 'RATE_LIMITS') return new VendorError('busy', 'HubSpot')
  if (status === 401) return new VendorError('reconnect', 'HubSpot')
  if (category === 'MISSING_SCOPES') return new VendorError('scope', 'to see and change records')
  if (status === 403) return new VendorError('forbidden', message || about)
  if (status === 404) return new VendorError('not_found', about)
  if (status === 409) return new VendorError('exists', message)
  if (status >= 500) return new VendorError('unavailable', `status ${status}`, { isUncertain: true })
  const named = errors.flatMap(({ message: text, context }) => {
    // a message may leave out which property it is about
    const names = Object.values(context).flat().join(', ')
    return [names === '' || text.includes(names) ? text : `${text}: ${names}.`]
  })
  const details = [message, ...named].filter((text) => text !== '')
  return new VendorError('refused', [...new Set(details)].join(' ') || `status ${status}`)
}
