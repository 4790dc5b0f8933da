import { sql } from 'kysely'
import type { ServerContext } from '../../platform/context'
import type { Attempted, createAttempts, Outgoing } from './attempt'
import { settle } from './settle'

/** Attempts at once: of a process, of one project in it, and of one endpoint. Who is slow holds nobody else. */
const AT_ONCE = 64
const OF_PROJECT = 16
const OF_ENDPOINT = 4
/** Milliseconds after which an attempt is made again whose process is gone; longer than any takes. */
const LEASE = 60_000
/** For what other processes wrote, and for what is due later. */
const LOOK_EVERY = 5_000

/** Sends what is due, beside the jobs: a receiver that takes its time takes no place of mails and timers. */
export interface Deliveries {
  start(): void
  /** Call after a commit: something may be due. */
  wake(): void
  /** Makes all attempts that are due, to their end. @returns how many. For tests and tools. */
  runDue(): Promise<number>
  /** Cuts attempts under way, which are made again, and resolves when none is left. */
  close(): Promise<void>
}

interface Due extends Outgoing {
  id: string
  endpoint_id: string
  attempts: number
}

export function createDeliveries(
  context: Pick<ServerContext, 'db' | 'clock' | 'log' | 'jobs'>,
  attempt: ReturnType<typeof createAttempts>,
): Deliveries {
  const { db, clock, log } = context
  const running = new Map<Promise<void>, Pick<Due, 'endpoint_id' | 'project_id'>>()
  const ending = new AbortController()
  let state: 'idle' | 'started' | 'closed' = 'idle'
  let looking: Promise<unknown> | null = null
  let again = false
  let poll: NodeJS.Timeout | undefined

  /**
   * Takes what is due as far as there is room, and begins its attempts. An endpoint with much to send is asked for
   * little at a time, so that the others' turn comes in the same look.
   */
  async function take(): Promise<number> {
    const now = clock()
    const busy = JSON.stringify(Object.fromEntries(counts('endpoint_id')))
    const { rows } = await sql<{ id: string; project_id: string }>`
      select due.id, endpoints.project_id from webhook_endpoints as endpoints
        cross join lateral (select id, next_at from webhook_messages
          where endpoint_id = endpoints.id and project_id = endpoints.project_id and status = 'pending' and next_at <= ${now}
          order by next_at, id
          limit greatest(0, ${OF_ENDPOINT} - coalesce((${busy}::jsonb ->> endpoints.id::text)::integer, 0))) as due
        where endpoints.enabled order by due.next_at, due.id`.execute(db)
    const places = counts('project_id')
    const chosen: string[] = []
    for (const { id, project_id } of rows) {
      const taken = places.get(project_id) ?? 0
      if (chosen.length + running.size >= AT_ONCE) break
      if (taken >= OF_PROJECT) continue
      places.set(project_id, taken + 1)
      chosen.push(id)
    }
    if (chosen.length === 0) return 0
    const lease = new Date(now.getTime() + LEASE)
    const { rows: taken } = await sql<Due>`
      update webhook_messages as messages set next_at = ${lease}
        from webhook_endpoints as endpoints
        where messages.id in (select id from webhook_messages where id = any(${chosen}::bigint[])
            and status = 'pending' and next_at <= ${now} order by id for update skip locked)
          and endpoints.id = messages.endpoint_id and endpoints.project_id = messages.project_id
        returning messages.id, messages.gid as message, messages.endpoint_id, messages.project_id, messages.attempts,
          messages.body, endpoints.gid as endpoint, endpoints.url, endpoints.sealed_secret,
          endpoints.sealed_old_secret, endpoints.old_secret_until`.execute(db)
    for (const due of taken) {
      const task = carryOut(due, lease).finally(() => {
        running.delete(task)
        look()
      })
      running.set(task, due)
    }
    return taken.length
  }

  /** How many attempts are under way for each. */
  function counts(of: 'endpoint_id' | 'project_id'): Map<string, number> {
    const found = new Map<string, number>()
    for (const each of running.values()) found.set(each[of], (found.get(each[of]) ?? 0) + 1)
    return found
  }

  /** Never throws: what could not be written is due again when its lease ends. */
  async function carryOut(due: Due, lease: Date): Promise<void> {
    try {
      const attempted = await send(due)
      if (attempted) return await settle(context, { ...due, lease }, attempted)
      await db
        .forProject(due.project_id)
        .updateTable('webhook_messages')
        .set({ next_at: clock() })
        .where('id', '=', due.id)
        .where('next_at', '=', lease)
        .execute()
    } catch (error) {
      log.error({ err: error, message: due.id, project: due.project_id }, 'an attempt of a webhook could not be made')
    }
  }

  /** @returns null if it was cut by the end of this process */
  async function send(due: Due): Promise<Attempted | null> {
    const attempted = await attempt(due, ending.signal)
    return ending.signal.aborted && attempted.error !== null ? null : attempted
  }

  /** Looks once at a time; whoever asks meanwhile has it look again. */
  function look(): void {
    if (state !== 'started') return
    again = looking !== null
    if (looking) return
    looking = take()
      .catch((error) => log.error({ err: error }, 'due webhooks could not be read'))
      .finally(() => {
        looking = null
        if (again) look()
      })
  }

  return {
    start() {
      if (state !== 'idle') return
      state = 'started'
      poll = setInterval(look, LOOK_EVERY)
      look()
    },

    wake: look,

    async runDue() {
      for (let count = 0; ; ) {
        while (looking || running.size > 0) await Promise.all([looking, ...running.keys()])
        const taken = await take()
        count += taken
        if (taken === 0 && !looking && running.size === 0) return count
      }
    },

    async close() {
      state = 'closed'
      clearInterval(poll)
      await looking
      ending.abort()
      await Promise.all(running.keys())
    },
  }
}
