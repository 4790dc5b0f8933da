import { execFile } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { createTestClock, type TestClock } from '../../../tests/support/clock'
import { createTestDatabase, type TestDatabase } from '../../../tests/support/database'
import { createConsumers } from '../../platform/events/createConsumers'
import { defineConsumer } from '../../platform/events/defineConsumer'
import { appendEvent, defineEvent } from '../../platform/events/defineEvent'
import { buildCli } from '../build.mjs'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const built = join(root, `build/parley-events-${process.pid}`)
beforeAll(() => buildCli(built))
afterAll(() => rm(built, { recursive: true, force: true }))

const noted = defineEvent('note.written', z.strictObject({ text: z.string() }))
let database: TestDatabase
let clock: TestClock
let seen: string[]
let broken: boolean
let consumers: ReturnType<typeof createConsumers>
beforeEach(async () => {
  database = await createTestDatabase()
  clock = createTestClock('2026-01-15T00:00:00Z')
  seen = []
  broken = false
  const notes = defineConsumer({
    name: 'notes',
    events: [noted],
    since: 'beginning',
    async handle(_, { payload }) {
      if (broken) throw new Error('the paper is out')
      seen.push(payload.text)
    },
  })
  consumers = createConsumers({ db: database.db, clock, log: pino({ level: 'silent' }) }, [notes])
})
afterEach(async () => {
  await consumers.close()
  await database.close()
})

async function write(text: string): Promise<void> {
  const { db } = database
  const row = { gid: `project-${text}`, name: text, created_at: clock(), updated_at: clock() }
  const { id } = await db.insertInto('projects').values(row).returning('id').executeTakeFirstOrThrow()
  const context = { projectId: id, by: { actor: 'system' }, correlation: 'a', at: clock() } as const
  await db.transaction().execute((work) => appendEvent(work, noted, context, { text }))
}

/** The embedded server's address, as printed at the start. */
const urlOf = ({ host = '', port, user, database: name }: TestDatabase['connection']) =>
  `postgresql://${user}@localhost:${port}/${name}?host=${encodeURIComponent(String(host))}`

const parley = (...args: string[]) =>
  new Promise<{ code: number; out: string; err: string }>((resolve) => {
    const env = { PATH: process.env.PATH, DATABASE_URL: urlOf(database.connection) }
    execFile(process.execPath, [join(built, 'parley.js'), 'events', ...args], { env }, (error, out, err) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, out, err }),
    )
  })

test('lists events that were given up, with why, and has them tried again', async () => {
  expect(await parley('failed')).toEqual({ code: 0, out: '', err: '' })
  await write('one')
  broken = true
  await consumers.runDue()
  // it is tried again by itself
  expect((await parley('retry')).out).toBe('0 events are tried again.\n')
  for (let attempt = 2; attempt <= 10; attempt++) {
    clock.pass(3_600)
    await consumers.runDue()
  }
  const listed = await parley('failed')
  expect(listed.code).toBe(1)
  expect(listed.out).toMatch(
    /^notes {2}note\.written \d+ {2}project project-one {2}10 attempts, given up\n {4}the paper is out\n$/,
  )
  broken = false
  expect((await parley('retry', 'others')).out).toBe('0 events are tried again.\n')
  expect((await parley('retry')).out).toBe('1 event is tried again.\n')
  // the commands use the real clock
  clock.pass((Date.now() - clock().getTime()) / 1_000 + 60)
  await consumers.runDue()
  expect(seen).toEqual(['one'])
  expect(await parley('failed')).toMatchObject({ code: 0, out: '' })
})

test('has a consumer handle events again since a moment, and says which consumers there are', async () => {
  await write('long ago')
  clock.pass(86_400)
  await write('yesterday')
  await consumers.runDue()
  expect(await parley('replay', 'notes', '--since', '2026-01-16')).toMatchObject({ code: 0 })
  await consumers.runDue()
  expect(seen).toEqual(['long ago', 'yesterday', 'yesterday'])
  const unknown = await parley('replay', 'letters', '--since', '2026-01-16')
  expect(unknown).toMatchObject({ code: 2, err: expect.stringContaining('There are: notes') })
  for (const args of [['replay', 'notes'], ['replay', 'notes', '--since', 'soon'], ['forget'], []])
    expect(await parley(...args)).toMatchObject({ code: 2, err: expect.stringContaining('parley events replay') })
})
