import { randomBytes } from 'node:crypto'
import { registry } from '../../../blocks/registry'
import { emptyFlow, type Flow } from '../../../engine/flow/schema'
import { plainRichText } from '../../../engine/values/richText'
import { login } from '../../../server/contracts/auth'
import { startConversation } from '../../../server/contracts/chat'
import { createChatbot } from '../../../server/contracts/chatbots'
import { mergeContacts } from '../../../server/contracts/contactMerges'
import { startPlayground } from '../../../server/contracts/playground'
import { listSessions } from '../../../server/contracts/profile'
import { keepTest } from '../../../server/contracts/recordings'
import type { Db } from '../../../server/platform/database/database'
import { createClient, type TestClient } from '../../support/client'
import type { Registered, TestServer } from '../../support/server'

import { whatsappAudience } from './whatsappAudience'

export const newGid = (): string => Array.from(randomBytes(16), (byte) => (byte % 36).toString(36)).join('')

/** A project with a chatbot that is published, and texts of its own that nobody else may see. */
export interface Tenant {
  db: Db
  owner: Registered
  url: string
  guest: TestClient
  projectId: string
  chatbotId: string
  flowId: string
  userId: string
  /** of a member who is not the owner */
  memberGid: string
  versionId: string
  pgid: string
  cgid: string
  fid: string
  slug: string
  /** stands in each text of its rows */
  mark: string
  /** of the conversation that a visitor has begun here, once one was seeded */
  token: string
  /** rows that several parameters of a call name, or parts of */
  made: Map<object, Promise<string>>
}

/** Makes a row of a tenant. @returns what a call names it by */
export type Seed = (tenant: Tenant) => Promise<string>

const block = (id: string, kind: string, data: object): Flow['groups'][0]['blocks'][0] => ({
  id,
  kind,
  version: registry.get(kind).migrations.length,
  data: { ...(registry.get(kind).defaults(() => id) as object), ...data } as Flow['groups'][0]['blocks'][0]['data'],
})

/** Asks for a file at once: so replies may name files. */
const askingForFile: Flow = {
  ...emptyFlow(),
  groups: [
    { id: 'begin', title: '', position: { x: 0, y: 0 }, blocks: [block('start', 'start', {})] },
    {
      id: 'ask',
      title: '',
      position: { x: 300, y: 0 },
      blocks: [block('files', 'file-upload', { prompt: plainRichText('Send us a file') })],
    },
  ],
  edges: [{ from: { blockId: 'start', portId: 'next' }, to: { groupId: 'ask' } }],
}

/** A new project of a person, with the members given. */
export async function createTenant(
  server: TestServer,
  owner: Registered,
  members: readonly { userId: string; gid: string; roles: number[] }[],
): Promise<Tenant> {
  const { db } = server.context
  const at = new Date()
  const pgid = newGid()
  const mark = `mark-${newGid()}`
  const project = await db
    .insertInto('projects')
    .values({ gid: pgid, name: mark, created_at: at, updated_at: at })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('project_members')
    .values(members.map(({ userId, roles }) => ({ project_id: project.id, user_id: userId, roles, created_at: at })))
    .execute()
  const { chatbot } = await owner.call(createChatbot, {
    params: { pgid },
    body: { name: mark, source: JSON.stringify(askingForFile) },
  })
  const row = await db
    .selectFrom('chatbots')
    .innerJoin('flows', 'flows.chatbot_id', 'chatbots.id')
    .select(['chatbots.id', 'flows.id as flowId'])
    .where('chatbots.gid', '=', chatbot.gid)
    .executeTakeFirstOrThrow()
  const version = await db
    .insertInto('flow_versions')
    .values({ project_id: project.id, flow_id: row.flowId, number: 1, hash: 'x', flow: JSON.stringify(askingForFile) })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .updateTable('flows')
    .set({ published_version_id: version.id, published_at: at })
    .where('id', '=', row.flowId)
    .execute()
  // what people answer would be mailed while the sweep compares what a project has
  await db
    .insertInto('web_chats')
    .values({ chatbot_id: row.id, project_id: project.id, continuation: '{"enabled":false}', updated_at: at })
    .onConflict((known) => known.column('chatbot_id').doUpdateSet({ continuation: '{"enabled":false}' }))
    .execute()
  return {
    db,
    owner,
    url: server.url,
    guest: await server.guest(),
    made: new Map(),
    projectId: project.id,
    chatbotId: row.id,
    flowId: row.flowId,
    userId: members[0]?.userId ?? '',
    memberGid: members.at(-1)?.gid ?? '',
    versionId: version.id,
    pgid,
    cgid: chatbot.gid,
    fid: chatbot.fid,
    slug: chatbot.slug,
    mark,
    token: '',
  }
}

const at = new Date('2026-01-01T00:00:00Z')
const inProject = ({ projectId }: Tenant) => ({ gid: newGid(), project_id: projectId, created_at: at })
const inChatbot = (tenant: Tenant) => ({ ...inProject(tenant), chatbot_id: tenant.chatbotId })

/** Makes one row of a tenant, whichever seed asks for it first. */
const once =
  (seed: Seed): Seed =>
  (tenant) => {
    const made = tenant.made.get(seed) ?? seed(tenant)
    tenant.made.set(seed, made)
    return made
  }

/** A visitor's, that waits for a file. */
const conversation = once(async (tenant) => {
  const started = await tenant.guest.call(startConversation, {
    params: { slug: tenant.slug },
    body: { client_id: newGid() },
  })
  tenant.token = started.token
  return started.conversation.id
})

const playground = once(async (tenant) => {
  const { pgid, cgid, fid } = tenant
  const started = await tenant.owner.call(startPlayground, {
    params: { pgid, cgid, fid },
    body: { client_id: newGid() },
  })
  return started.conversation.id
})

/** A file that was sent and not yet named by a reply, in a conversation. */
const sentFile =
  (begin: Seed): Seed =>
  async (tenant) => {
    const gid = await begin(tenant)
    const row = await tenant.db
      .selectFrom('conversations')
      .innerJoin('runs', 'runs.id', 'conversations.run_id')
      .select(['runs.id', 'runs.turns'])
      .where('conversations.gid', '=', gid)
      .executeTakeFirstOrThrow()
    const file = { sha256: '0'.repeat(64), media_type: 'text/plain', bytes: 1, name: tenant.mark }
    const values = { ...inProject(tenant), ...file, run_id: row.id, turn: row.turns }
    await tenant.db.insertInto('sent_files').values(values).execute()
    return values.gid
  }

const action: Seed = async (tenant) => {
  const values = {
    ...inChatbot(tenant),
    kind: 'hand-off' as const,
    name: tenant.mark,
    description: tenant.mark,
    frequency: 'always' as const,
    parameters: '[]',
    save_to: null,
    config: JSON.stringify({ team: '', note: tenant.mark, message: '' }),
    enabled: true,
    position: 1,
    updated_at: at,
  }
  await tenant.db.insertInto('agent_actions').values(values).execute()
  return values.gid
}

/** A picture that was uploaded: its row alone. */
const file: Seed = async (tenant) => {
  const values = { ...inProject(tenant), media_type: 'image/png', bytes: 1, name: tenant.mark }
  await tenant.db
    .insertInto('files')
    .values({ ...values, sha256: '1'.repeat(64) })
    .execute()
  return values.gid
}

/** An account at a vendor, whose tokens nobody can read. */
const vendorConnection: Seed = async (tenant) => {
  const { gid, project_id } = inProject(tenant)
  const account = { account_id: newGid(), account_name: tenant.mark, scopes: [], sealed_tokens: null }
  const row = await tenant.db
    .insertInto('connections')
    .values({
      ...{ gid, project_id, vendor: 'google-sheets' as const, ...account, connected_at: at },
      ...{ connected_by: tenant.userId, expires_at: null, problem: null, problem_at: null, used_at: null },
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const choices = JSON.stringify([{ id: tenant.mark, label: tenant.mark }])
  const list = JSON.stringify(['spreadsheets', ''])
  await tenant.db
    .insertInto('vendor_choices')
    .values({ connection_id: row.id, project_id, list, choices, fetched_at: at })
    .execute()
  return gid
}

async function modelRow(tenant: Tenant): Promise<{ gid: string; id: string }> {
  const { gid, project_id } = inProject(tenant)
  const connection = await tenant.db
    .insertInto('ai_connections')
    .values({
      gid,
      project_id,
      provider: 'openai-compatible',
      base_url: 'http://127.0.0.1:9/v1',
      created_at: at,
      updated_at: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { id } = await tenant.db
    .insertInto('ai_connection_models')
    .values({ project_id, connection_id: connection.id, position: 0, name: tenant.mark, supports_actions: false })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { gid, id: String(id) }
}
const model: Seed = async (tenant) => (await modelRow(tenant)).id

const source: Seed = async (tenant) => {
  const values = {
    ...inChatbot(tenant),
    kind: 'faq' as const,
    title: tenant.mark,
    data: JSON.stringify({ kind: 'faq', question: tenant.mark, answer: tenant.mark, phrasings: [] }),
    status: 'ready' as const,
    updated_at: at,
  }
  await tenant.db.insertInto('knowledge_sources').values(values).execute()
  return values.gid
}

/** Links alone are read again by themselves. */
const link = once(async (tenant) => {
  const url = `http://127.0.0.1:9/${tenant.mark}`
  const values = { ...inChatbot(tenant), kind: 'link' as const, title: tenant.mark, url, status: 'stopped' as const }
  await tenant.db
    .insertInto('knowledge_sources')
    .values({ ...values, updated_at: at })
    .execute()
  return values.gid
})

const textSource: Seed = async (tenant) => {
  const gid = await source(tenant)
  await tenant.db
    .updateTable('knowledge_sources')
    .set({ kind: 'text', data: JSON.stringify({ kind: 'text', markdown: tenant.mark }) })
    .where('gid', '=', gid)
    .execute()
  return gid
}

const thread = once(async (tenant) => {
  const { gid, project_id } = inProject(tenant)
  const pin = { anchor_kind: 'spot' as const, x: 1, y: 1, place: tenant.mark }
  const { id } = await tenant.db
    .insertInto('comment_threads')
    .values({ gid, project_id, flow_id: tenant.flowId, ...pin, created_at: at })
    .returning('id')
    .executeTakeFirstOrThrow()
  const values = { ...inProject(tenant), thread_id: id, author_id: tenant.userId, author_name: tenant.mark }
  await tenant.db
    .insertInto('comments')
    .values({ ...values, client_id: newGid(), body: tenant.mark })
    .execute()
  return gid
})

/** The first comment of a thread. */
const comment: Seed = async (tenant) => {
  const row = tenant.db
    .selectFrom('comment_threads')
    .select('id')
    .where('gid', '=', await thread(tenant))
  const { id } = await row.executeTakeFirstOrThrow()
  const found = tenant.db.selectFrom('comments').select('gid').where('thread_id', '=', id)
  return (await found.executeTakeFirstOrThrow()).gid
}

const invitation: Seed = async (tenant) => {
  const values = {
    ...inProject(tenant),
    email: `${newGid()}@example.com`,
    roles: [3],
    token_hash: randomBytes(32),
    expires_at: new Date('2100-01-01T00:00:00Z'),
  }
  await tenant.db.insertInto('invitations').values(values).execute()
  return values.gid
}

const mail: Seed = async (tenant) => {
  const { mark } = tenant
  const addresses = JSON.stringify({ to: ['a@example.com'], cc: [], bcc: [], replyTo: [] })
  const texts = { key: newGid(), message_id: newGid(), from_name: mark, subject: mark, html: mark, body: mark }
  const values = { ...inProject(tenant), ...texts, addresses, purpose: 'flow' as const, status: 'outbox' as const }
  await tenant.db.insertInto('mails').values(values).execute()
  return values.gid
}

const contact: Seed = async (tenant) => {
  const values = { ...inChatbot(tenant), name: tenant.mark, custom: '{}', updated_at: at }
  await tenant.db.insertInto('contacts').values(values).execute()
  return values.gid
}

const contactField: Seed = async (tenant) => {
  const values = { ...inProject(tenant), name: newGid(), type: 'text' as const, choices: [], in_table: true }
  await tenant.db.insertInto('contact_fields').values(values).execute()
  return values.gid
}

const segment: Seed = async (tenant) => {
  const filter = JSON.stringify({
    match: 'all',
    conditions: [{ field: 'name', operator: 'equals', value: tenant.mark }],
  })
  const values = { ...inProject(tenant), name: newGid(), filter, updated_at: at }
  await tenant.db.insertInto('contact_segments').values(values).execute()
  return values.gid
}

/** One that runs, to somebody at the chatbot's number. */
const broadcast = once(async (tenant) => {
  const { db, projectId, chatbotId, mark } = tenant
  const keys = { app_id: '1', business_id: '2', number_id: newGid(), sealed_keys: '', registered: true, problem: null }
  const shown = { phone_number: '1', verified_name: mark, quality: '', checked_at: at, connected_at: at }
  await db
    .insertInto('whatsapp_connections')
    .values({ gid: newGid(), project_id: projectId, chatbot_id: chatbotId, ...keys, ...shown, connected_by: null })
    .execute()
  const of = { conversation: await conversation(tenant), contact: await contact(tenant) }
  const connection_id = await whatsappAudience({ db, projectId, chatbotId, mark, ...of })
  const about = { name: mark, segment: mark, template: '{"name":"summer","language":"en"}', fills: '[]', skipped: '{}' }
  const values = { ...inProject(tenant), connection_id, ...about, per_minute: 1, price: '1', currency: 'EUR' }
  await db
    .insertInto('whatsapp_broadcasts')
    .values({ ...values, status: 'running', next_at: at, created_by: null })
    .execute()
  return values.gid
})

/** One that is checked, of a file with one column. */
const contactImport: Seed = async (tenant) => {
  const columns = JSON.stringify([{ name: tenant.mark, sample: [] }])
  const mapping = JSON.stringify({ columns: ['name'], key: 'none', on_duplicate: 'skip', tags: [] })
  const values = { ...inProject(tenant), name: tenant.mark, status: 'checked' as const, columns, mapping }
  await tenant.db
    .insertInto('contact_imports')
    .values({
      ...{ ...values, encoding: 'UTF-8', separator: ',', rows: 0, created_by: tenant.userId },
      expires_at: new Date('2100-01-01T00:00:00Z'),
    })
    .execute()
  return values.gid
}

/** Another contact was merged into one. */
const contactMerge: Seed = async (tenant) => {
  const [into, from] = [await contact(tenant), await contact(tenant)]
  const { merge } = await tenant.owner.call(mergeContacts, {
    params: { pgid: tenant.pgid },
    body: { into, from, take: [] },
  })
  return merge
}

const lead: Seed = async (tenant) => {
  const who = { name: tenant.mark, email: `${tenant.mark}@example.com`, phone: '', source: 'form' as const }
  const values = { ...inChatbot(tenant), ...who, conversation_id: null, environment: 'sharing' as const }
  await tenant.db
    .insertInto('leads')
    .values({ ...values, answers: '[]', updated_at: at })
    .execute()
  return values.gid
}

/** One that is ready. */
const dataExport: Seed = async (tenant) => {
  const { gid, project_id } = inProject(tenant)
  const values = { gid, project_id, chatbot_id: null, kind: 'contacts' as const, first_day: null, last_day: null }
  const columns = JSON.stringify({ contacts: [tenant.mark] })
  await tenant.db
    .insertInto('exports')
    .values({
      ...values,
      ...{ status: 'done', columns, created_by: tenant.userId, created_at: at },
      expires_at: new Date('2100-01-01T00:00:00Z'),
    })
    .execute()
  return gid
}

/** With the name that a sample gives. */
const tool = { name: 'a'.repeat(16), title: 'Tool', description: '', schema: { type: 'object' }, reads_only: false }

const notification: Seed = async (tenant) => {
  const { id } = await tenant.db
    .insertInto('notifications')
    .values({
      project_id: tenant.projectId,
      user_id: tenant.userId,
      kind: 'mentioned',
      key: newGid(),
      conversation_id: null,
      contact_id: null,
      actor_id: null,
      created_at: at,
      seen_at: null,
      in_app: true,
      mail_at: null,
      push_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Another browser that the owner is logged in with. */
const session: Seed = async ({ owner, url }) => {
  const other = await createClient(url)
  await other.call(login, { body: { email: owner.user.email, password: owner.password } })
  const { sessions } = await owner.call(listSessions)
  return sessions.find(({ current }) => !current)?.id ?? ''
}

const label = once(async (tenant) => {
  const values = { ...inProject(tenant), name: tenant.mark, color: 'gray' as const }
  await tenant.db.insertInto('labels').values(values).execute()
  return values.gid
})
const team = once(async (tenant) => {
  const values = { ...inProject(tenant), name: tenant.mark, assignment: 'manual' as const }
  await tenant.db.insertInto('teams').values(values).execute()
  return values.gid
})

/** Where nothing listens. */
const webhook = once(async (tenant) => {
  const values = { ...inProject(tenant), url: `http://127.0.0.1:9/${tenant.mark}`, description: tenant.mark }
  await tenant.db
    .insertInto('webhook_endpoints')
    .values({ ...values, events: ['lead.created'], personal: true, enabled: true, sealed_secret: 'x', updated_at: at })
    .execute()
  return values.gid
})
/** One that was delivered. */
const webhookMessage = once(async (tenant) => {
  const endpoint = tenant.db
    .selectFrom('webhook_endpoints')
    .select('id')
    .where('gid', '=', await webhook(tenant))
  const { id: endpoint_id } = await endpoint.executeTakeFirstOrThrow()
  const values = { ...inProject(tenant), endpoint_id, event_id: null, type: 'lead.created' as const, body: tenant.mark }
  await tenant.db
    .insertInto('webhook_messages')
    .values({ ...values, conversation_id: null, contact_id: null, status: 'delivered', next_at: null })
    .execute()
  return values.gid
})
const weeklyGuest: Seed = async (tenant) => {
  const { project_id, gid } = inProject(tenant)
  const owner = tenant.db.selectFrom('users').select('id').where('gid', '=', tenant.owner.user.ui)
  const { id: user_id } = await owner.executeTakeFirstOrThrow()
  const weekly = { enabled: false, weekday: 1, hour: 8, zone: 'UTC', next_at: at, created_at: at }
  const { id } = await tenant.db
    .insertInto('weekly_mails')
    .values({ ...weekly, gid: newGid(), project_id, user_id, chatbot_id: null })
    .onConflict((known) => known.columns(['project_id', 'user_id', 'chatbot_id']).doUpdateSet({ hour: 8 }))
    .returning('id')
    .executeTakeFirstOrThrow()
  const hashes = { sealed_key: tenant.mark, confirm_hash: randomBytes(32), end_hash: randomBytes(32) }
  await tenant.db
    .insertInto('weekly_mail_guests')
    .values({
      gid,
      project_id,
      weekly_mail_id: id,
      email: `${gid}@example.com`,
      ...hashes,
      confirm_until: at,
      created_at: at,
    })
    .execute()
  return gid
}

/** By kind (parameters.ts). A kind that is missing here fails the sweep. */
export const seeds: Readonly<Record<string, Seed>> = {
  pgid: async ({ pgid }) => pgid,
  cgid: async ({ cgid }) => cgid,
  fid: async ({ fid }) => fid,
  'actions.gid': action,
  'actions-order.gids': action,
  'actions-test.gid': action,
  'ai-connections.gid': async (tenant) => (await modelRow(tenant)).gid,
  'ai.model_id': model,
  'local-models.gid': async (tenant) => {
    const { gid, project_id } = inProject(tenant)
    const about = { name: tenant.mark, address: null, problem: null, total_bytes: null, licence: null }
    const found = { state: 'ready' as const, kind: 'onnx' as const, sha256: '0'.repeat(64), dimension: 2, tokens: 2 }
    await tenant.db
      .insertInto('local_models')
      .values({ gid, project_id, ...about, ...found, created_at: at, updated_at: at })
      .execute()
    return gid
  },
  'ai.fallback_model_id': model,
  'answers.model_id': model,
  'passkeys.gid': async ({ db, userId, mark: name }) => {
    const gid = newGid()
    const key = { credential_id: newGid(), public_key: randomBytes(77), counter: 0, created_at: new Date() }
    await db
      .insertInto('passkeys')
      .values({ gid, user_id: userId, name, ...key })
      .execute()
    return gid
  },
  'api-keys.gid': async (tenant) => {
    const about = { user_id: tenant.userId, name: tenant.mark, preview: tenant.mark, scopes: ['write' as const] }
    const values = { ...inProject(tenant), ...about }
    await tenant.db
      .insertInto('api_keys')
      .values({ ...values, key_hash: randomBytes(32) })
      .execute()
    return values.gid
  },
  'domains.gid': async (tenant) => {
    const values = { ...inProject(tenant), challenge: tenant.mark, created_at: at }
    // a name that no server is asked for
    const domain = `${'x'.repeat(64)}.${tenant.mark}`
    await tenant.db
      .insertInto('sign_on_domains')
      .values({ ...values, domain })
      .execute()
    return values.gid
  },
  'comments.gid': comment,
  'connections.gid': vendorConnection,
  'crm-test.connection': vendorConnection,
  'ticket-test.connection': vendorConnection,
  'sheet-test.connection': vendorConnection,
  'analytics.agent': async ({ owner }) => owner.user.ui,
  'analytics.before': conversation,
  'analytics.chatbot': async ({ cgid }) => cgid,
  'weekly-mail.chatbot': async ({ cgid }) => cgid,
  'user.default_chatbot_id': async ({ cgid }) => cgid,
  'weekly-guests.gid': weeklyGuest,
  'contacts.before': contact,
  'contacts.chatbot': async ({ cgid }) => cgid,
  'contacts.gid': contact,
  'contacts.segment': segment,
  'contact-fields.gid': contactField,
  'segments.gid': segment,
  'contact-merges.gid': contactMerge,
  'contact-merges.into': contact,
  'contact-merges.from': contact,
  'preview.into': contact,
  'preview.from': contact,
  'contact-imports.gid': contactImport,
  'exports.segment': segment,
  'conversations.conversation': async (tenant) => {
    const gid = await conversation(tenant)
    const { id, project_id } = await tenant.db
      .selectFrom('conversations')
      .select(['id', 'project_id'])
      .where('gid', '=', gid)
      .executeTakeFirstOrThrow()
    const message = { conversation_id: id, project_id, seq: 1, created_at: at }
    const said = {
      ...message,
      author: 1 as const,
      content: '{"kind":"text","text":[]}',
      block_id: null,
      client_id: null,
    }
    await tenant.db
      .insertInto('messages')
      .values(said)
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    const dead = { ...message, key: newGid(), request: null, status: 'dead' as const, due_at: at }
    await tenant.db
      .insertInto('deliveries')
      .values(dead)
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    return gid
  },
  'chat.conversation': conversation,
  'chat.fileIds': sentFile(conversation),
  'chat.slug': async ({ slug }) => slug,
  'share.slug': async ({ slug }) => slug,
  'embed.egid': async ({ db, chatbotId, projectId }) => {
    const chatbot = db
      .selectFrom('chatbots')
      .select('egid')
      .where('id', '=', chatbotId)
      .where('project_id', '=', projectId)
    return (await chatbot.executeTakeFirstOrThrow()).egid
  },
  'crawls.gid': async (tenant) => {
    const place = {
      mode: 'page' as const,
      url: `https://example.com/${tenant.mark}`,
      depth: 0,
      max_pages: 1,
      include: [],
      exclude: [],
    }
    const values = { ...inChatbot(tenant), ...place, state: 'found' as const, updated_at: at }
    await tenant.db.insertInto('crawls').values(values).execute()
    return values.gid
  },
  'feeds.connection': vendorConnection,
  'feeds.gid': async (tenant) => {
    const list = { kind: 'feed' as const, url: `https://example.com/${tenant.mark}.xml`, most: 10 }
    const values = { ...inChatbot(tenant), ...list, resync: 'never' as const, next_read_at: null, updated_at: at }
    await tenant.db
      .insertInto('knowledge_feeds')
      .values({ ...values, state: 'ready', title: tenant.mark })
      .execute()
    return values.gid
  },
  'exports.chatbot': async ({ cgid }) => cgid,
  'exports.gid': dataExport,
  'failed-jobs.job': async ({ db, projectId, mark }) => {
    const job = { project_id: projectId, kind: 'read-source', payload: '{}', run_at: at, created_at: at }
    const { id } = await db
      .insertInto('jobs')
      .values({ ...job, failed_at: at, error: mark, attempts: 10 })
      .returning('id')
      .executeTakeFirstOrThrow()
    return id
  },
  'files.gid': file,
  'evaluations.gid': async (tenant) => {
    const values = { ...inChatbot(tenant), question: tenant.mark, words: [tenant.mark], expects_unknown: false }
    await tenant.db.insertInto('evaluation_questions').values(values).execute()
    return values.gid
  },
  'evaluations.source': source,
  'inbox.add_labels': label,
  'inbox.assignee': async ({ owner }) => owner.user.ui,
  'audit-log.person': async ({ owner }) => owner.user.ui,
  'inbox.chatbot': async ({ cgid }) => cgid,
  'inbox.conversations': conversation,
  // two of them, with a space
  'inbox.of-one-visitor': async ({ guest, slug }) => {
    const visitor = newGid()
    const begin = async () =>
      (await guest.call(startConversation, { params: { slug }, body: { client_id: newGid(), visitor } })).conversation
        .id
    return `${await begin()} ${await begin()}`
  },
  'inbox.file_ids': sentFile(conversation),
  'inbox.label': label,
  'inbox.of': conversation,
  'views.chatbot': async ({ cgid }) => cgid,
  'views.gid': async (tenant) => {
    const { id: user_id } = await tenant.db
      .selectFrom('users')
      .select('id')
      .where('gid', '=', tenant.owner.user.ui)
      .executeTakeFirstOrThrow()
    const values = { ...inProject(tenant), user_id, name: tenant.mark, view: 'all' as const, filters: '{}' }
    await tenant.db.insertInto('inbox_views').values(values).execute()
    return values.gid
  },
  'views.label': label,
  'views.team': team,
  'inbox.members': async ({ owner }) => owner.user.ui,
  'inbox.remove_labels': label,
  'inbox.source': source,
  'inbox.shared_with': team,
  'inbox.team': team,
  'invitations.gid': invitation,
  'leads.before': lead,
  'leads.gid': lead,
  'leads.owner': async ({ owner }) => owner.user.ui,
  'knowledge-link.chatbot': async ({ owner, pgid, mark }) =>
    (await owner.call(createChatbot, { params: { pgid }, body: { name: mark } })).chatbot.gid,
  'labels.gid': label,
  'billing.chosen': async ({ cgid }) => cgid,
  'webhooks.gid': webhook,
  'webhooks.before': webhookMessage,
  'webhooks.message': webhookMessage,
  'messages.mgid': webhookMessage,
  'mails.before': mail,
  'mails.mgid': mail,
  'my-notifications.before': notification,
  'my-notifications.id': notification,
  'my-notifications.up_to': notification,
  'playground.conversation': playground,
  'previews.conversation': playground,
  'playground.fileIds': sentFile(playground),
  'members.gid': async ({ memberGid }) => memberGid,
  'results.before': conversation,
  'saved-replies.gid': async (tenant) => {
    const values = { ...inProject(tenant), shortcut: tenant.mark, body: tenant.mark, updated_at: at }
    await tenant.db.insertInto('saved_replies').values(values).execute()
    return values.gid
  },
  'secrets.gid': async (tenant) => {
    const values = { ...inProject(tenant), name: newGid(), sealed_value: tenant.mark, changed_at: at }
    await tenant.db.insertInto('project_secrets').values(values).execute()
    return values.gid
  },
  'sent.gid': sentFile(conversation),
  'sessions.gid': session,
  'sources.gid': source,
  'sources.gids': link,
  '/api/projects/:pgid/chatbots/:cgid/sources/:gid/text sources.gid': textSource,
  'teams.gid': team,
  'tests.conversation': playground,
  'tests.gid': async (tenant) => {
    const { owner, pgid, cgid, mark } = tenant
    const body = { conversation: await playground(tenant), name: mark }
    return (await owner.call(keepTest, { params: { pgid, cgid }, body })).test.gid
  },
  'threads.gid': thread,
  'threads.through': comment,
  'tool-servers.gid': async (tenant) => {
    const values = {
      ...inChatbot(tenant),
      name: tenant.mark,
      url: 'http://127.0.0.1:9/',
      enabled: true,
      tools: JSON.stringify([tool]),
    }
    await tenant.db
      .insertInto('tool_servers')
      .values({ ...values, listed_at: at })
      .execute()
    return values.gid
  },
  'broadcasts.broadcast': broadcast,
  'whatsapp.file': async (tenant) => {
    await broadcast(tenant)
    return file(tenant)
  },
  'whatsapp.segment': async (tenant) => {
    await broadcast(tenant)
    return segment(tenant)
  },
  'versions.open': async ({ fid }) => fid,
}
