import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import pino from 'pino'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { callingFlow, callingRegistry } from '../../../../tests/support/callingFlow'
import { createTestDatabase, type TestDatabase } from '../../../../tests/support/database'
import { insertPublishedFlow } from '../../../../tests/support/publishedFlow'
import { runtimeContext } from '../../../../tests/support/runtimeContext'
import { parseConfig } from '../../../platform/config/config'
import { createDatabase, type RootDb } from '../../../platform/database/database'
import { createRuntime } from './createRuntime'

let database: TestDatabase
beforeEach(async () => {
  database = await createTestDatabase()
})
afterEach(() => database.close())

const runtimeOn = (db: RootDb) =>
  createRuntime(
    runtimeContext({
      db,
      config: parseConfig({}),
      registry: callingRegistry,
      clock: () => new Date('2026-01-01T00:00:00Z'),
      ids: () => randomBytes(8).toString('hex'),
      log: pino({ level: 'silent' }),
    }),
  )

/** Until as many sessions of the database wait for a lock. */
async function blocked(count: number): Promise<void> {
  for (;;) {
    const { rows } = await sql<{
      count: number
    }>`select count(*)::int as count from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(database.db)
    if ((rows[0]?.count ?? 0) >= count) return
  }
}

it('turns of a chatbot that is being prepared hold no connection that its preparing wants', async () => {
  const flow = await insertPublishedFlow(database.db, callingFlow({ calls: false }))
  const before = runtimeOn(database.db)
  const start = (clientId: string) =>
    before.start({ ...flow, environment: 'sharing', clientId, startedBy: null }).then(({ ref }) => ref)
  const refs = await Promise.all([start('start-0001'), start('start-0002')])
  await before.close()

  // a process that has just started: one connection for its locks, and one for each of the turns
  const db = createDatabase(database.connection, { max: 3 })
  const runtime = runtimeOn(db)
  try {
    const under = await database.db.transaction().execute(async (work) => {
      await work.selectFrom('conversations').select('id').forUpdate().execute()
      const replies = refs.map((ref) => runtime.reply(ref, `message-${ref.id}`, { type: 'text', text: 'a' }))
      await blocked(2)
      return [...replies, runtime.foresee(flow, { type: 'start' })]
    })
    const settled = await Promise.allSettled(under)
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled'])
  } finally {
    await runtime.close()
    await db.destroy()
  }
})
