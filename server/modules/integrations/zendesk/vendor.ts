import { z } from 'zod'
import { isToken } from '../connections/filled'
import { defineVendor } from '../defineVendor'
import { listFields } from './choices'
import { explain } from './explain'
import { hostOf, subdomainField, subdomainOf } from './host'
import { listBrands, listForms, listGroups } from './places'

const NEEDED = {
  'tickets:read': 'to see tickets',
  'tickets:write': 'to create and change tickets',
}
/** Groups, brands and forms have no scope of their own: they are seen by that of everything that can be read. */
const SCOPES = [...Object.keys(NEEDED), 'users:read', 'read']

/** The smallest plan's: others are answered 429 and wait as long as Zendesk says. */
const CALLS = { bucket: 'calls', most: 200, windowMs: 60_000 }

/** A client of Zendesk's belongs to one account, so that people may bring their own instead of the installation's. */
export const zendesk = defineVendor({
  slug: 'zendesk',
  name: 'Zendesk',
  callbackPath: '/oauth/zendesk/callback',
  fields: [subdomainField],
  oauth(settings, filled) {
    const host = hostOf(settings, filled)
    return {
      client: settings.zendesk.client,
      authorizeUrl: `${host}/oauth/authorizations/new`,
      tokenUrl: `${host}/oauth/tokens`,
      revokeUrl: `${host}/api/v2/oauth/tokens/current`,
      revokesByDelete: true,
      scopes: SCOPES,
      needed: NEEDED,
      extra: {},
      hostOf: () => host,
    }
  },
  byHand: [
    {
      way: 'zendesk-client',
      fields: [
        subdomainField,
        { name: 'clientId', max: 255, problem: isToken },
        { name: 'clientSecret', max: 500, isSecret: true, problem: isToken },
      ],
      renews: true,
      fieldOf: (code) => (code === 'client' || code === 'reconnect' ? 'clientSecret' : 'subdomain'),
      async grant(filled, { settings, exchange }) {
        const host = hostOf(settings, filled)
        const granted = await exchange(`${host}/oauth/tokens`, {
          grant_type: 'client_credentials',
          client_id: filled.clientId ?? '',
          client_secret: filled.clientSecret ?? '',
          scope: SCOPES.join(' '),
        })
        return { ...granted, access: { ...granted.access, host }, scopes: granted.scopes ?? SCOPES }
      },
    },
  ],
  paces: { read: CALLS, write: CALLS },
  explain,
  async identify(call, _settings, _granted, filled) {
    const { user } = userSchema.parse(await call({ method: 'GET', url: '/api/v2/users/me', kind: 'read' }))
    const subdomain = subdomainOf(filled)
    return { id: subdomain, name: `${user.email ?? user.name} (${subdomain}.zendesk.com)` }
  },
  async check(call) {
    await call({ method: 'GET', url: '/api/v2/oauth/tokens/current', kind: 'read' })
  },
  choices: { fields: listFields, groups: listGroups, brands: listBrands, 'ticket-forms': listForms },
})

const userSchema = z.object({ user: z.object({ name: z.string().max(320), email: z.string().max(320).nullish() }) })
