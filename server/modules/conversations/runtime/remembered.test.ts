import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import pino from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { waitDefaults } from '../../../../blocks/wait/schema'
import type { Flow } from '../../../../engine/flow/schema'
import { callingFlow, callingRegistry } from '../../../../tests/support/callingFlow'
import { createTestDatabase, type TestDatabase } from '../../../../tests/support/database'
import { counting } from '../../../../tests/support/effects'
import { notingDatabase } from '../../../../tests/support/notingDatabase'
import { insertPublishedFlow, type PublishedFlow } from '../../../../tests/support/publishedFlow'
import { runtimeContext } from '../../../../tests/support/runtimeContext'
import { parseConfig } from '../../../platform/config/config'
import { createRuntime, type Runtime, type Visitor } from './createRuntime'
import { createRemembered } from './remembered'
import { createTurnTasks } from './turnTasks'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.close())

const statements: string[] = []
const runtimes: Runtime[] = []
/** A process at the database, with a handler of its calls. */
function startProcess(): Runtime {
  const runtime = createRuntime(
    runtimeContext({
      db: notingDatabase(database.db, statements),
      config: parseConfig({}),
      registry: callingRegistry,
      clock: () => new Date('2026-01-01T00:00:00Z'),
      ids: () => randomBytes(8).toString('hex'),
      log: pino({ level: 'silent' }),
    }),
    [counting(async () => 'called')],
  )
  runtimes.push(runtime)
  return runtime
}
afterEach(async () => {
  await Promise.all(runtimes.splice(0).map((runtime) => runtime.close()))
})

let serial = 0
let flow: PublishedFlow
let visitor: Visitor
let ref: { id: string; project_id: string; run_id: string }
let one: Runtime
const reply = (runtime: Runtime, text: string, clientId = `message-${++serial}`) =>
  runtime.replyOfVisitor(visitor, clientId, { type: 'text', text }, { admit: async () => {} })

type Block = Flow['groups'][number]['blocks'][number]
const asks = (id: string, calls: boolean): Block => ({ id, kind: 'counting', version: 0, data: { calls } })
async function begin(then: Block[] = []) {
  const slug = `bot-${++serial}`
  const asking = callingFlow({ calls: false })
  const groups = [...asking.groups, { id: 'then', title: 'Then', position: { x: 600, y: 0 }, blocks: then }]
  const edges = asking.edges.map((edge) =>
    then.length > 0 && edge.from.blockId === 'first' ? { ...edge, to: { groupId: 'then' } } : edge,
  )
  flow = await insertPublishedFlow(database.db, { ...asking, groups, edges }, slug)
  one = startProcess()
  const started = await one.start({ ...flow, environment: 'sharing', clientId: `start-${serial}`, startedBy: null })
  ref = started.ref
  visitor = { name: slug, gid: started.ref.gid, token: started.token ?? '' }
  await reply(one, 'first')
  statements.length = 0
}
beforeEach(() => begin())

const rows = () =>
  database.db.selectFrom('messages').selectAll().where('conversation_id', '=', ref.id).orderBy('seq').execute()
const numbers = async () => (await rows()).map(({ seq }) => seq)
const turnsOf = async () =>
  (
    await database.db
      .selectFrom('turn_records')
      .select(['turn', 'last_seq'])
      .where('run_id', '=', ref.run_id)
      .orderBy('turn')
      .execute()
  ).map(({ turn, last_seq }) => [turn, last_seq])

test('the next reply is stored by one statement, which reads nothing before', async () => {
  await reply(one, 'second')
  await reply(one, 'third')
  expect(statements).toEqual(['update conversations', 'update conversations'])
  expect(await numbers()).toEqual([1, 2, 3, 4, 5, 6])
})

test('what another process stored in between is read: both take replies in turn, and each has its number', async () => {
  const other = startProcess()
  for (const runtime of [other, one, one, other, other, one]) await reply(runtime, 'hello')
  const stored = await rows()
  expect(stored.map(({ seq }) => seq)).toEqual(Array.from({ length: 14 }, (_, at) => at + 1))
  expect(stored.map(({ author }) => author)).toEqual(Array.from({ length: 14 }, (_, at) => (at % 2 ? 1 : 2)))
  expect((await turnsOf()).map(([turn]) => turn)).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
})

test('replies that reach two processes at once make one turn each', async () => {
  const other = startProcess()
  await reply(other, 'second')
  await reply(one, 'third')
  await reply(other, 'fourth')
  await Promise.all(Array.from({ length: 12 }, (_, at) => reply(at % 2 ? one : other, `at once ${at}`)))
  expect(await numbers()).toEqual(Array.from({ length: 32 }, (_, at) => at + 1))
  expect(new Set((await rows()).flatMap(({ client_id }) => client_id ?? [])).size).toBe(16)
})

test('a message that is sent to two processes is taken once', async () => {
  const other = startProcess()
  await reply(other, 'second')
  await Promise.all([one, other, one, other].map((runtime) => reply(runtime, 'third', 'message-same')))
  await reply(other, 'third', 'message-same')
  expect(await numbers()).toEqual([1, 2, 3, 4, 5, 6])
})

test('a run that changes while the reply waits for its lock is read again', async () => {
  let letGo = () => {}
  const held = new Promise<void>((resolve) => {
    letGo = resolve
  })
  let locked = () => {}
  const isLocked = new Promise<void>((resolve) => {
    locked = resolve
  })
  const change = database.db.transaction().execute(async (work) => {
    await sql`select from conversations where id = ${ref.id} for update`.execute(work)
    locked()
    await held
    // as whoever locks the conversation may, without a change of its own row
    await work.updateTable('runs').set({ turns: 41 }).where('id', '=', ref.run_id).execute()
  })
  await isLocked
  const said = reply(one, 'second')
  try {
    await expect.poll(waitsForLock).toBe(true)
  } finally {
    letGo()
  }
  await Promise.all([change, said])
  expect((await turnsOf()).at(-1)).toEqual([41, 4])
  expect(await numbers()).toEqual([1, 2, 3, 4])
})

test('a person who took over meanwhile is answered to: the bot says nothing', async () => {
  await database.db.updateTable('conversations').set({ status: 'person' }).where('id', '=', ref.id).execute()
  await reply(one, 'is somebody there?')
  expect((await rows()).map(({ author }) => author)).toEqual([2, 1, 2])
})

test('whoever was blocked meanwhile is refused, and so is everybody once the chatbot is published no more', async () => {
  const { projectId: project_id, chatbotId: chatbot_id } = flow
  const visitor_hash = randomBytes(32)
  await database.db.updateTable('conversations').set({ visitor_hash }).where('id', '=', ref.id).execute()
  await reply(one, 'second')
  const blocked = { project_id, chatbot_id, visitor_hash, blocked_by: null, created_at: new Date() }
  await database.db.insertInto('blocked_visitors').values(blocked).execute()
  await expect(reply(one, 'third')).rejects.toMatchObject({ code: 'visitor_blocked' })
  await database.db.deleteFrom('blocked_visitors').where('chatbot_id', '=', chatbot_id).execute()
  await reply(one, 'fourth')
  await database.db
    .updateTable('flows')
    .set({ published_version_id: null })
    .where('chatbot_id', '=', chatbot_id)
    .execute()
  await expect(reply(one, 'fifth')).rejects.toMatchObject({ code: 'not_found' })
  expect(await numbers()).toEqual([1, 2, 3, 4, 5, 6])
})

test('a turn with a call reads and locks the conversation before it is parked', async () => {
  await begin([asks('question', false), asks('call', true)])
  await reply(one, 'second')
  statements.length = 0
  await reply(one, 'third')
  // the lock is named by its first subquery
  expect(statements.slice(0, 3)).toEqual(['select blocked_visitors', 'pg_try_advisory_lock', 'insert into effects'])
  expect(await numbers()).toEqual([1, 2, 3, 4, 5, 6])
})

test('a turn that ends with a timer reads and locks the conversation before it is set', async () => {
  await begin([
    asks('question', false),
    { id: 'pause', kind: 'wait', version: 0, data: { ...waitDefaults(), amount: 60 } },
  ])
  await reply(one, 'second')
  expect(statements).toEqual(['select blocked_visitors', 'insert into jobs', 'update conversations'])
})

test('a turn that is too heavy for this thread is not begun on what is only remembered', async () => {
  const machineFor = () => ({ advance: () => null })
  const tasks = createTurnTasks({ machineFor, ownership: {}, timers: {}, clock: () => new Date() } as never)
  const row = { status: 'bot', state: 'waiting', session: { status: 'waiting', request: { input: 'text' } } }
  const take = (more: object) =>
    tasks.takeReply(null as never, { ...row, ...more } as never, null as never, {
      clientId: 'message-heavy',
      reply: { type: 'text', text: 'a' },
    })
  await expect(take({ guard: 'a guard' })).rejects.toMatchObject({ code: 'conflict' })
  expect(await take({})).toHaveProperty('heavy')
})

test('the conversation that was remembered first gives way, and long ones are read', () => {
  const remembered = createRemembered(2)
  const request = { input: 'text' }
  const row = (long = '') => ({ status: 'bot', state: 'waiting', session: { request, long } }) as never
  for (const key of ['a', 'b', 'c']) remembered.keep(key, row(), '7')
  expect(['a', 'b', 'c'].map((key) => remembered.take(key)?.version)).toEqual([undefined, '7', '7'])
  expect(remembered.take('c')).toBeUndefined()
  remembered.keep('d', row('x'.repeat(9_000)), '7')
  expect(remembered.take('d')).toBeUndefined()
})

/** Whether a statement of this database waits for the lock of a row. */
async function waitsForLock(): Promise<boolean> {
  const { rows: waiting } = await sql`select from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(database.db)
  return waiting.length > 0
}
