import { sql } from 'kysely'
import { pino } from 'pino'
import { z } from 'zod'
import { createDatabase } from '../../server/platform/database/database'
import { createConsumers } from '../../server/platform/events/createConsumers'
import { defineConsumer } from '../../server/platform/events/defineConsumer'
import { appendEvent, defineEvent } from '../../server/platform/events/defineEvent'

/**
 * A process for tests to kill: writes events from several concurrent writers, some in transactions that are rolled
 * back, and handles them with two consumers, which record each one in a table. Sends the number of written events to
 * its parent.
 */
const { PROJECT = '', HOST, PORT, PGUSER, PGPASSWORD, PGDATABASE } = process.env
const db = createDatabase({
  host: HOST,
  port: Number(PORT),
  user: PGUSER,
  password: PGPASSWORD,
  database: PGDATABASE,
})
const counted = defineEvent('count.made', z.strictObject({ text: z.string() }))
const consumers = createConsumers(
  { db, clock: () => new Date(), log: pino({ level: 'silent' }) },
  ['one', 'two'].map((name) =>
    defineConsumer({
      name,
      events: [counted],
      since: 'beginning',
      handle: (work, { id, payload }) =>
        sql`insert into handled (consumer, event, text) values (${name}, ${id}, ${payload.text})`.execute(work),
    }),
  ),
)
consumers.start()

let written = 0
async function writer(): Promise<never> {
  for (;;) {
    const work = await db.startTransaction().execute()
    const event = { projectId: PROJECT, by: { actor: 'system' as const }, correlation: 'a', at: new Date() }
    await appendEvent(work as never, counted, event, { text: `${process.pid}-${written}` })
    await new Promise((done) => setTimeout(done, Math.random() * 20))
    if (Math.random() < 0.2) await work.rollback().execute()
    else {
      await work.commit().execute()
      process.send?.(++written)
    }
  }
}
for (let at = 0; at < 4; at++) void writer()
process.once('disconnect', () => process.exit())
