import { type Kysely, sql } from 'kysely'
import type { Database } from '../../../platform/database/tables'

/**
 * The conversations that this process is working on while no transaction is open (during an external call). Each is an
 * advisory lock of one connection: when the process dies, the database releases the locks, and another process may
 * resume the turns at once.
 */
export interface Ownership {
  /**
   * Takes its connection. Await this before a transaction that may claim: if all connections were in transactions, none
   * would be left.
   */
  ready(): Promise<void>
  /** false when another process, or another turn of this one, works on it */
  claim(conversationId: string): Promise<boolean>
  release(conversationId: string): Promise<void>
  /** whether this process works on it */
  holds(conversationId: string): boolean
  close(): Promise<void>
}

/** The first of the two numbers of these advisory locks; the second identifies the conversation. */
const CLASS = 7_301

export function createOwnership(db: Kysely<Database>): Ownership {
  const mine = new Set<string>()
  let connection: Promise<{ db: Kysely<Database>; done: () => void }> | null = null

  /** Takes one connection out of the pool and keeps it. */
  function connect() {
    connection ??= new Promise<{ db: Kysely<Database>; done: () => void }>((resolve, reject) => {
      db.connection()
        .execute((own) => new Promise<void>((done) => resolve({ db: own, done })))
        .catch(reject)
    }).catch((error) => {
      connection = null
      throw error
    })
    return connection
  }

  async function ask(query: (id: string) => ReturnType<typeof sql<{ ok: boolean }>>, id: string): Promise<boolean> {
    const { db: own, done } = await connect()
    try {
      const { rows } = await query(id).execute(own)
      return rows[0]?.ok ?? false
    } catch (error) {
      // Losing the connection releases its locks: turns in progress here are protected by the row locks alone.
      done()
      connection = null
      mine.clear()
      throw error
    }
  }

  return {
    ready: async () => void (await connect()),
    holds: (conversationId) => mine.has(conversationId),
    async claim(conversationId) {
      if (mine.has(conversationId)) return false
      const got = await ask(
        (id) => sql`select pg_try_advisory_lock(${CLASS}, hashint8(${id}::bigint)) as ok`,
        conversationId,
      )
      if (got) mine.add(conversationId)
      return got
    },
    async release(conversationId) {
      if (!mine.delete(conversationId)) return
      await ask((id) => sql`select pg_advisory_unlock(${CLASS}, hashint8(${id}::bigint)) as ok`, conversationId)
    },
    async close() {
      // turns that end from now on must not open another connection to release locks that are released below
      mine.clear()
      if (!connection) return
      const { db: own, done } = await connection
      connection = null
      // The connection returns to the pool, and would keep its locks.
      await sql`select pg_advisory_unlock_all()`.execute(own).finally(done)
    },
  }
}
