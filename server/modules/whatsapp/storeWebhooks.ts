import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { z } from 'zod'
import type { ServerContext } from '../../platform/context'
import { gather } from '../../platform/gather'
import { defineJob } from '../../platform/jobs/defineJob'
import { insertAgain } from '../../platform/jobs/insertJob'
import type { Connections } from './connections'
import type { Pressure } from './pressure'

/** Reads what a number's webhooks say, in the order in which they came. */
export const readWebhooks = defineJob('read-whatsapp', z.strictObject({ connection: z.string() }))

/** Webhooks that are looked up, or stored, at once. */
const MOST_AT_ONCE = 500
/** Bytes that are stored at once, and that may wait for that. Beyond, WhatsApp is asked to send again later. */
const MOST_BYTES = 8_000_000
const MOST_WAITING = 64_000_000

/** A webhook whose signature is right. */
interface Webhook {
  /** the public id of the number whose address it came to */
  gid: string
  body: Uint8Array
}

/**
 * What happens before a webhook is answered: its secret is found, and it is stored as it came. Calls that come together
 * share a statement, and its commit, so that WhatsApp is answered soon however many it sends.
 */
export function createWebhookStore(
  { db, clock, jobs }: Pick<ServerContext, 'db' | 'clock' | 'jobs'>,
  { connections, pressure }: { connections: Pick<Connections, 'byGids' | 'keysOf'>; pressure: Pressure },
) {
  const findSecret = gather<string, string | null>({
    most: MOST_AT_ONCE,
    run: async (gids) => {
      const rows = await connections.byGids(gids)
      const secrets = new Map(rows.map((row) => [row.gid, connections.keysOf(row)?.secret ?? null]))
      return gids.map((gid) => secrets.get(gid) ?? null)
    },
  })

  const storeOne = gather<Webhook, void>({
    most: MOST_AT_ONCE,
    sizeOf: ({ body }) => body.byteLength,
    mostSize: MOST_BYTES,
    mostWaiting: MOST_WAITING,
    run: async (webhooks) => {
      await insert(webhooks)
      jobs.wake(undefined, 'work')
      return []
    },
  })

  async function insert(webhooks: readonly Webhook[]): Promise<void> {
    const at = clock()
    const gids = webhooks.map(({ gid }) => gid)
    const bodies = webhooks.map(({ body }) => body)
    const hashes = bodies.map((body) => createHash('sha256').update(body).digest())
    await sql`
      with stored as (
        insert into whatsapp_webhooks (project_id, connection_id, body, body_hash, created_at)
        select number.project_id, number.id, given.body, given.hash, ${at}
        from unnest(${gids}::text[], ${bodies}::bytea[], ${hashes}::bytea[]) with ordinality as given (gid, body, hash, place)
          join whatsapp_connections as number on number.gid = given.gid
        order by given.place
        on conflict (connection_id, body_hash) do nothing
        returning project_id, connection_id::text)
      ${insertAgain(
        readWebhooks,
        sql`
          select project_id, connection_id, json_build_object('connection', connection_id)
          from (select distinct project_id, connection_id from stored) as each`,
        at,
      )}`.execute(db)
  }

  return {
    /** The secret that signs webhooks to a number's address; null if there is none. */
    secretOf: (gid: string) => pressure.during(() => findSecret(gid)),

    /**
     * Stores a webhook, once if it comes again before it was read, with the job that reads it. One of a number that was
     * disconnected meanwhile is passed over. @throws ApiError `overloaded` if too much waits to be stored
     */
    store: (webhook: Webhook) => pressure.during(() => storeOne(webhook)),
  }
}
export type WebhookStore = ReturnType<typeof createWebhookStore>
