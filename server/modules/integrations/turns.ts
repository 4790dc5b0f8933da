import { sql } from 'kysely'
import type { ServerContext } from '../../platform/context'

/** How many at once hold a connection to the database while they wait for a vendor. */
const MOST_AT_ONCE = 4

export interface Turns {
  /**
   * Works when nobody else, in any process, works under the same name.
   * @throws what the work throws, and the signal's reason
   */
  take<Value>(name: string, work: () => Promise<Value>, signal?: AbortSignal): Promise<Value>
}

/**
 * Lets one at a time work on something outside. Those of this process wait in a queue, and only its first one asks the
 * database for the lock, which costs a connection.
 */
export function createTurns({ db }: Pick<ServerContext, 'db'>, kind: string, most = MOST_AT_ONCE): Turns {
  const queues = new Map<string, Promise<unknown>>()
  const waiting: (() => void)[] = []
  let free = most

  async function place(): Promise<void> {
    if (free > 0) {
      free--
      return
    }
    await new Promise<void>((resolve) => waiting.push(resolve))
  }
  function leave(): void {
    const next = waiting.shift()
    if (next) next()
    else free++
  }

  async function locked<Value>(name: string, work: () => Promise<Value>): Promise<Value> {
    await place()
    try {
      return await db.transaction().execute(async (trx) => {
        await sql`select pg_advisory_xact_lock(hashtextextended(${`${kind} ${name}`}, 0))`.execute(trx)
        return work()
      })
    } finally {
      leave()
    }
  }

  return {
    async take(name, work, signal) {
      const before = queues.get(name) ?? Promise.resolve()
      const turn = before.then(() => {
        signal?.throwIfAborted()
        return locked(name, work)
      })
      const settled = turn.catch(() => {})
      queues.set(name, settled)
      try {
        return await turn
      } finally {
        if (queues.get(name) === settled) queues.delete(name)
      }
    },
  }
}
