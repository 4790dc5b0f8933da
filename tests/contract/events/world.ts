import { randomBytes } from 'node:crypto'
import { emptyFlow } from '../../../engine/flow/schema'
import { hashToken, newToken } from '../../../server/access/tokens'
import { createFlow } from '../../../server/contracts/flows'
import { beginConnection } from '../../../server/contracts/integrations'
import type { WhatsappKeys } from '../../../server/contracts/whatsapp'
import { issueRegistration } from '../../../server/modules/accounts/auth/registrations'
import { parseConfig } from '../../../server/platform/config/config'
import type { WhatsappStandIn } from '../../../server/sandbox/whatsapp/whatsapp'
import { createTenant, seeds, type Tenant } from '../../security/tenancy/seeds'
import { whatsappAudience } from '../../security/tenancy/whatsappAudience'
import { type IdentityProvider, startIdentityProvider } from '../../support/identityProvider'
import { startMcpServer } from '../../support/mcpServer'
import { startModelServer } from '../../support/modelServer'
import { linesOf, writePdf } from '../../support/pdf'
import type { Registered, TestServer } from '../../support/server'
import { consent } from '../../support/vendors/consent'
import { startGoogle } from '../../support/vendors/google/startGoogle'
import { keysOf, startWhatsapp } from '../../support/vendors/whatsapp/startWhatsapp'

/** A project of its own for each call, with whatever the call names. */
export interface World extends Pick<Tenant, 'pgid' | 'cgid' | 'fid' | 'slug' | 'mark' | 'guest'> {
  server: TestServer
  owner: Registered
  /** of the project, without a right to change others */
  member: Registered
  modelUrl: string
  toolsUrl: string
  /** of a service account at a vendor */
  serviceKey: string
  /** whom no domain is proven for */
  identity: IdentityProvider
  /** what opens a number at WhatsApp, which no other chatbot has then */
  whatsappKeys(): Promise<WhatsappKeys>
  /** somebody has written to the number, and agreed to marketing, for which it has the template `summer` */
  agreesAtWhatsapp(): Promise<void>
  flowFile: string
  /** of one page, in Latin 1 */
  pdf: string
  /** a row of a kind, by what a call names it by */
  seed(kind: string): Promise<string>
  /** of the visitor's conversation that was seeded last */
  token(): string
  /** makes somebody a member */
  join(person: Registered): Promise<void>
  /** an open invitation's */
  invite(email: string): Promise<string>
  /** of a link in a mail */
  registration(email: string): Promise<string>
  addFlow(): Promise<string>
  addCrawl(state: 'finding' | 'found'): Promise<{ pgid: string; cgid: string; gid: string }>
  /** what a vendor sends back with somebody who consented */
  consented(): Promise<{ state: string; code: string }>
  /** a source that is under way */
  queueSource(): Promise<void>
}

export interface Shared {
  server: TestServer
  owner: Registered
  member: Registered
  modelUrl: string
  toolsUrl: string
  serviceKey: string
  whatsapp: WhatsappStandIn
  identity: IdentityProvider
  close(): Promise<unknown>
}

/** The people of all calls, and what they reach outside. */
export async function startShared(server: TestServer): Promise<Shared> {
  const [model, tools, google, whatsapp, identity] = await Promise.all([
    startModelServer(),
    startMcpServer(),
    startGoogle({ clock: server.context.clock }),
    startWhatsapp({ clock: server.context.clock }),
    startIdentityProvider(['http://127.0.0.1:9/back']),
  ])
  const { vendors } = parseConfig({
    GOOGLE_CLIENT_ID: google.client.id,
    GOOGLE_CLIENT_SECRET: google.client.secret,
    GOOGLE_ACCOUNTS_URL: google.origin,
    GOOGLE_TOKEN_URL: google.origin,
    GOOGLE_DRIVE_URL: google.origin,
    WHATSAPP_API_URL: whatsapp.origin,
  })
  server.context.config.vendors = vendors
  // whom WhatsApp sends webhooks to
  server.context.config.publicUrl = server.url
  model.answers('Hello')
  tools.offer({ track: () => 'on its way' })
  return {
    server,
    owner: await server.register(),
    member: await server.register(),
    modelUrl: model.settings.baseUrl,
    toolsUrl: tools.url,
    serviceKey: JSON.stringify(google.addServiceAccount('robot')),
    whatsapp,
    identity,
    close: () => Promise.all([model.close(), tools.close(), google.close(), whatsapp.close(), identity.close()]),
  }
}

export const registerPerson = ({ server }: Pick<World, 'server'>): Promise<Registered> => server.register()

export async function createWorld(shared: Shared): Promise<World> {
  const { server, owner, member, modelUrl, toolsUrl, serviceKey, whatsapp, identity } = shared
  const { db } = server.context
  const userId = async ({ user }: Registered) =>
    (await db.selectFrom('users').select('id').where('gid', '=', user.ui).executeTakeFirstOrThrow()).id
  const tenant = await createTenant(server, owner, [
    { userId: await userId(owner), gid: owner.user.ui, roles: [1] },
    { userId: await userId(member), gid: member.user.ui, roles: [6] },
  ])
  const { pgid, cgid, fid, slug, mark, guest, projectId, chatbotId } = tenant
  const at = new Date()
  const seed = async (kind: string) => {
    const make = seeds[kind]
    if (!make) throw new Error(`There is no seed for ${kind}`)
    return make(tenant)
  }
  return {
    ...{ pgid, cgid, fid, slug, mark, guest, server, owner, member, modelUrl, toolsUrl, serviceKey, identity, seed },
    flowFile: JSON.stringify(emptyFlow()),
    pdf: Buffer.from(writePdf([linesOf(['We open at nine.'])])).toString('latin1'),
    token: () => tenant.token,

    async whatsappKeys() {
      await db.deleteFrom('whatsapp_connections').execute()
      return keysOf(whatsapp)
    },

    async agreesAtWhatsapp() {
      const of = { conversation: await seed('inbox.of'), contact: await seed('contacts.gid') }
      await whatsappAudience({ db, projectId, chatbotId, mark, ...of })
    },

    async join(person) {
      const row = { project_id: projectId, user_id: await userId(person), roles: [6], created_at: at }
      await db.insertInto('project_members').values(row).execute()
    },

    async invite(email) {
      const token = newToken()
      const values = { gid: randomBytes(8).toString('hex'), project_id: projectId, email, roles: [6], created_at: at }
      await db
        .insertInto('invitations')
        .values({ ...values, token_hash: hashToken(token), expires_at: new Date('2100-01-01T00:00:00Z') })
        .execute()
      return token
    },

    async consented() {
      const params = { pgid }
      const { url } = await owner.call(beginConnection, {
        params,
        body: { vendor: 'google-sheets', return_to: `/projects/${pgid}` },
      })
      const { searchParams } = await consent(url)
      return { state: searchParams.get('state') ?? '', code: searchParams.get('code') ?? '' }
    },

    registration: (email) => issueRegistration(db, email, at),

    async addFlow() {
      const { flow } = await owner.call(createFlow, { params: { pgid, cgid }, body: { title: 'Another' } })
      return flow.gid
    },

    async addCrawl(state) {
      const gid = await seed('crawls.gid')
      const { id } = await db
        .updateTable('crawls')
        .set({ state })
        .where('gid', '=', gid)
        .returning('id')
        .executeTakeFirstOrThrow()
      const url = 'http://127.0.0.1:9/found'
      const page = {
        project_id: projectId,
        crawl_id: id,
        url,
        key: url,
        family: null,
        depth: 0,
        state: 'found',
      } as const
      await db
        .insertInto('crawl_pages')
        .values({ ...page, reason: null, content_hash: null })
        .execute()
      return { pgid, cgid, gid }
    },

    async queueSource() {
      const gid = await seed('sources.gids')
      await db
        .updateTable('knowledge_sources')
        .set({ status: 'training', run: 'of a test' })
        .where('gid', '=', gid)
        .where('chatbot_id', '=', chatbotId)
        .execute()
    },
  }
}
