import { z } from 'zod'
import { defineVendor } from '../defineVendor'
import { listArticleFields, listArticleLanguages, listFields } from './choices'
import { explain, isExpired, tokenProblem } from './explain'
import { instanceHost } from './host'
import { BASE } from './objects'

/** Salesforce names no limit a second: so many keep one chatbot from taking what the organisation has. */
const CALLS = { bucket: 'calls', most: 25, windowMs: 1_000 }

export const salesforce = defineVendor({
  slug: 'salesforce',
  name: 'Salesforce',
  oauth: ({ salesforce: { client, loginUrl } }) => ({
    client,
    authorizeUrl: `${loginUrl}/services/oauth2/authorize`,
    tokenUrl: `${loginUrl}/services/oauth2/token`,
    revokeUrl: `${loginUrl}/services/oauth2/revoke`,
    scopes: ['api', 'refresh_token', 'id'],
    needed: { api: 'to see and change records' },
    // without it a second consent may give no refresh token
    extra: { prompt: 'consent' },
    hostOf: (granted) => instanceHost(granted, loginUrl),
  }),
  paces: { read: CALLS, write: CALLS },
  explain,
  isExpired,
  tokenProblem,
  usageOf({ 'sforce-limit-info': info = '' }) {
    const [, used, most] = /api-usage=(\d{1,12})\/(\d{1,12})/.exec(info.slice(0, 200)) ?? []
    return used && most ? { used: Number(used), most: Number(most) } : null
  },
  async identify(call, _settings, granted) {
    const who = await call({ method: 'GET', url: '/services/oauth2/userinfo', kind: 'read' })
    const { organization_id, email } = userSchema.parse(who)
    const { instance_url } = grantedSchema.parse(granted)
    return { id: organization_id, name: `${email} (${new URL(instance_url).hostname})` }
  },
  async check(call) {
    await call({ method: 'GET', url: `${BASE}/limits`, kind: 'read' })
  },
  choices: { properties: listFields, 'article-languages': listArticleLanguages, 'article-fields': listArticleFields },
})

const userSchema = z.object({ organization_id: z.string().max(30), email: z.string().max(320) })
const grantedSchema = z.object({ instance_url: z.url() })
