import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bundleForNode } from '../../../tests/support/bundle'
import { createTestDatabase, type TestDatabase } from '../../../tests/support/database'
import { seededRandom } from '../../../tests/support/documents'

const KILLS = process.env.FULL === '1' ? 60 : 6
const random = seededRandom(20_261_123)

let database: TestDatabase
let bundle: Awaited<ReturnType<typeof bundleForNode>>
let project: string
beforeAll(async () => {
  database = await createTestDatabase()
  bundle = await bundleForNode('tests/support/eventApp.ts')
  const now = new Date()
  const { id } = await database.db
    .insertInto('projects')
    .values({ gid: 'crash', name: 'crash', created_at: now, updated_at: now } as never)
    .returning('id')
    .executeTakeFirstOrThrow()
  project = id
  await sql`create table handled (position bigint generated always as identity, consumer text, event bigint, text text)`.execute(
    database.db,
  )
})
afterAll(async () => {
  await database.close()
  await bundle.remove()
})

const start = () => {
  const { host, port, user, password, database: name } = database.connection
  return spawn(process.execPath, [bundle.entry], {
    env: {
      PATH: process.env.PATH,
      PROJECT: project,
      HOST: String(host),
      PORT: String(port),
      PGUSER: String(user),
      PGPASSWORD: String(password ?? ''),
      PGDATABASE: String(name),
    },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
}

/** Kills it as soon as it has written that many events. */
async function killAfter(events: number): Promise<void> {
  const child = start()
  const exit = once(child, 'exit')
  child.on('message', (written) => void (Number(written) >= events && child.kill('SIGKILL')))
  await exit
}

test('two processes that are killed again and again lose no event, and handle none twice', async () => {
  const course = async () => {
    for (let kill = 0; kill < KILLS; kill++) await killAfter(1 + Math.floor(random() * 150))
  }
  await Promise.all([course(), course()])
  const last = start()
  await expect.poll(missing).toBe(0)
  const exit = once(last, 'exit')
  last.kill('SIGKILL')
  await exit
  for (const consumer of ['one', 'two']) {
    const { rows } = await sql<{ event: string }>`
      select event from handled where consumer = ${consumer} order by position`.execute(database.db)
    const events = await database.db.selectFrom('events').select('id').orderBy('tx').orderBy('id').execute()
    const handled = rows.map(({ event }) => event)
    expect(handled).toEqual(events.slice(0, handled.length).map(({ id }) => id))
  }
}, 300_000)

/** Events that existed at the first call and that some consumer has not handled. */
let until: string | undefined
async function missing(): Promise<number> {
  until ??= (
    await database.db
      .selectFrom('events')
      .select(({ fn }) => fn.max('id').as('id'))
      .executeTakeFirst()
  )?.id
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from events,
    (values ('one'), ('two')) as consumers (name)
    where id <= ${until ?? 0} and not exists (select 1 from handled where event = id and consumer = name)`.execute(
    database.db,
  )
  return rows[0]?.count ?? -1
}
