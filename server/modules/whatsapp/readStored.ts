import { sql } from 'kysely'
import { z } from 'zod'
import type { ServerContext } from '../../platform/context'
import type { ProjectDb } from '../../platform/database/database'
import { DatabaseUnavailable } from '../../platform/database/unavailable'
import { parseJson } from '../../platform/http/parseJson'
import { defineJob } from '../../platform/jobs/defineJob'
import { insertAgain } from '../../platform/jobs/insertJob'
import { nextTurn } from '../../platform/nextTurn'
import type { ConnectionRow, Connections } from './connections'
import type { Pressure } from './pressure'
import { readTemplateUpdates, type TemplateUpdate } from './readTemplateUpdates'
import { type InboundStatus, readWebhook } from './readWebhook'
import type { Statuses } from './statuses'
import { type ArrivedMessage, storeMessages } from './storeMessages'
import { readWebhooks } from './storeWebhooks'
import type { Templates } from './templates'

/**
 * Reads one webhook that failed among others. It holds up no other one; if it fails again and again, it is among the
 * project's failed jobs, with the reason, until somebody dismisses it or it is forgotten.
 */
export const readApart = defineJob('read-whatsapp-apart', z.strictObject({ webhook: z.string() }))

/** Webhooks, and their bytes, that are read in one transaction. */
const AT_ONCE = 200
const MOST_BYTES = 8_000_000
/** Webhooks that are parsed before others are served. */
const AT_A_STRETCH = 10
/** Transactions before other jobs get their turn. */
const MOST_ROUNDS = 20

/** How often it is noted that webhooks come. */
const HEARD_EVERY = 60_000

interface StoredWebhook {
  id: string
  body: Buffer
  created_at: Date
}
/** What several webhooks say of one number, in the order in which they came. */
interface Report {
  connection: ConnectionRow
  messages: ArrivedMessage[]
  statuses: InboundStatus[]
}

interface Parts {
  connections: Pick<Connections, 'byNumber' | 'ofBusiness' | 'keysOf'>
  statuses: Statuses
  templates: Pick<Templates, 'note'>
  pressure: Pick<Pressure, 'eased'>
}

/**
 * Reads stored webhooks: their messages are stored by person, to be taken into conversations, and what became of our
 * own messages is noted. They are deleted in the transaction that does so; what a crash cuts is done again, which
 * changes nothing. One process at a time reads those of a number.
 */
export function readsWebhooks(context: Pick<ServerContext, 'db' | 'clock' | 'jobs' | 'log'>, parts: Parts) {
  const { db, clock, jobs, log } = context
  const { connections, statuses, templates, pressure } = parts

  const inOrder = readWebhooks.handledBy(async ({ connection: id }, { projectId }) => {
    if (projectId === null) return undefined
    const own = db.forProject(projectId)
    for (let round = 0; round < MOST_ROUNDS; round++) {
      await pressure.eased()
      const webhooks = await next(own, id)
      const signer = webhooks.length > 0 && (await connectionOf(own, id))
      if (!signer) return undefined
      await read(own, signer, webhooks).catch((error: unknown) => readEach(own, signer, webhooks, error))
      jobs.wake(undefined, 'work')
    }
    return clock()
  })

  const apart = readApart.handledBy(async ({ webhook: id }, { projectId }) => {
    if (projectId === null) return undefined
    const own = db.forProject(projectId)
    const webhook = await own.selectFrom('whatsapp_webhooks').selectAll().where('id', '=', id).executeTakeFirst()
    const signer = webhook && (await connectionOf(own, webhook.connection_id))
    if (!signer) return undefined
    await read(own, signer, [webhook])
    jobs.wake(undefined, 'work')
    return undefined
  })

  /** Those that wait longest, of limited size in all; a large one alone. */
  async function next(own: ProjectDb, connectionId: string): Promise<StoredWebhook[]> {
    const sized = await own
      .selectFrom('whatsapp_webhooks')
      .select(['id', sql<number>`octet_length(body)`.as('bytes')])
      .where('connection_id', '=', connectionId)
      .where('apart', '=', false)
      .orderBy('id')
      .limit(AT_ONCE)
      .execute()
    let bytes = 0
    const end = sized.findIndex((each, at) => {
      bytes += each.bytes
      return at > 0 && bytes > MOST_BYTES
    })
    const last = sized.at(end < 0 ? -1 : end - 1)
    if (!last) return []
    return own
      .selectFrom('whatsapp_webhooks')
      .select(['id', 'body', 'created_at'])
      .where('connection_id', '=', connectionId)
      .where('apart', '=', false)
      .where('id', '<=', last.id)
      .orderBy('id')
      .execute()
  }

  /** One of several can't be read: those that can are, and it is tried by itself. */
  async function readEach(own: ProjectDb, signer: ConnectionRow, webhooks: StoredWebhook[], cause: unknown) {
    if (cause instanceof DatabaseUnavailable) throw cause
    for (const webhook of webhooks)
      try {
        await read(own, signer, [webhook])
      } catch (error) {
        if (error instanceof DatabaseUnavailable) throw error
        log.warn({ err: error, connection: signer.gid, webhook: webhook.id }, 'a webhook of WhatsApp could not be read')
        await setApart(own, signer, webhook)
      }
  }

  const setApart = (own: ProjectDb, { project_id }: ConnectionRow, { id }: StoredWebhook) =>
    own.transaction().execute(async (work) => {
      await work.updateTable('whatsapp_webhooks').set({ apart: true }).where('id', '=', id).execute()
      const job = sql`select ${project_id}::bigint, ${id}::text, json_build_object('webhook', ${id}::text)`
      await insertAgain(readApart, job, clock()).execute(work)
    })

  async function read(own: ProjectDb, signer: ConnectionRow, webhooks: readonly StoredWebhook[]): Promise<void> {
    const { reports, updates } = await readAll(signer, webhooks)
    for (const update of updates)
      for (const row of await connections.ofBusiness(update.businessId))
        if (row.id === signer.id || isSignedBySame(signer, row)) await templates.note(row, update)
    for (const { connection, messages, statuses: told } of reports) {
      await statuses.note(connection, told)
      if (connection.id === signer.id) continue
      await db
        .forProject(connection.project_id)
        .transaction()
        .execute((work) => storeMessages(work, connection, messages, clock()))
    }
    const messages = reports.find(({ connection }) => connection.id === signer.id)?.messages ?? []
    await own.transaction().execute(async (work) => {
      await storeMessages(work, signer, messages, clock())
      const ids = webhooks.map(({ id }) => id)
      await work.deleteFrom('whatsapp_webhooks').where('id', '=', sql<string>`any(${ids}::bigint[])`).execute()
      if (isNews(signer.heard_at, clock()))
        await work.updateTable('whatsapp_connections').set({ heard_at: clock() }).where('id', '=', signer.id).execute()
    })
  }

  /** What webhooks say, by number: one app may have several, each of a chatbot, whose webhooks come to one address. */
  async function readAll(signer: ConnectionRow, webhooks: readonly StoredWebhook[]) {
    const reports = new Map<string, Report | null>()
    const updates: TemplateUpdate[] = []
    for (const [at, { body, created_at }] of webhooks.entries()) {
      // others are served meanwhile
      if (at % AT_A_STRETCH === AT_A_STRETCH - 1) await nextTurn()
      const parsed = parseJson(body)
      if ('refused' in parsed) throw new Error(`It is no JSON that can be read (${parsed.refused}).`)
      updates.push(...readTemplateUpdates(parsed.value))
      for (const { numberId, ...said } of readWebhook(parsed.value)) {
        const report = reports.has(numberId) ? reports.get(numberId) : await reportOf(signer, numberId)
        reports.set(numberId, report ?? null)
        report?.messages.push(...said.messages.map((message) => ({ ...message, arrivedAt: created_at })))
        report?.statuses.push(...said.statuses)
      }
    }
    return { reports: [...reports.values()].filter((report) => report !== null), updates }
  }

  /** Null for a number whose secret does not sign the webhook: it is passed over. */
  async function reportOf(signer: ConnectionRow, numberId: string): Promise<Report | null> {
    const connection = numberId === signer.number_id ? signer : await connections.byNumber(numberId)
    const isTheirs = connection && (connection === signer || isSignedBySame(signer, connection))
    return isTheirs ? { connection, messages: [], statuses: [] } : null
  }

  function isSignedBySame(one: ConnectionRow, other: ConnectionRow): boolean {
    const secret = connections.keysOf(one)?.secret
    return secret !== undefined && connections.keysOf(other)?.secret === secret
  }

  return [inOrder, apart]
}

/** Once a minute is enough to show that webhooks come. */
const isNews = (heardAt: Date | null, now: Date): boolean =>
  heardAt === null || now.getTime() - heardAt.getTime() > HEARD_EVERY

const connectionOf = (own: ProjectDb, id: string): Promise<ConnectionRow | undefined> =>
  own.selectFrom('whatsapp_connections').selectAll().where('id', '=', id).executeTakeFirst()
