import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import pino from 'pino'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { richTextToString } from '../../../../engine/values/richText'
import { createTestClock, type TestClock } from '../../../../tests/support/clock'
import { createTestDatabase, type TestDatabase } from '../../../../tests/support/database'
import { counting } from '../../../../tests/support/effects'
import { insertPublishedFlow } from '../../../../tests/support/publishedFlow'
import { runtimeContext } from '../../../../tests/support/runtimeContext'
import { timedFlow, timedRegistry } from '../../../../tests/support/timedFlow'
import { parseConfig } from '../../../platform/config/config'
import { createDatabase, type RootDb } from '../../../platform/database/database'
import type { EffectHandler } from '../../../platform/effects/handleEffect'
import { handleSweeps, scheduleSweeps } from '../../../platform/jobs/sweeps'
import type { ConversationRef } from '../conversations/conversationRef'
import { createRuntime } from './createRuntime'

let database: TestDatabase
let clock: TestClock
const running: { close(): Promise<unknown> }[] = []
beforeEach(async () => {
  database = await createTestDatabase()
  clock = createTestClock()
})
afterEach(async () => {
  await Promise.all(running.splice(0).map((runtime) => runtime.close()))
  await database.close()
})

/** A process: a runtime and its jobs, over the test's database. */
function startProcess(handlers: EffectHandler[] = [], db: RootDb = database.db) {
  const context = runtimeContext({
    db,
    config: parseConfig({}),
    registry: timedRegistry,
    clock,
    ids: () => randomBytes(8).toString('hex'),
    log: pino({ level: 'silent' }),
  })
  const runtime = createRuntime(context, handlers)
  for (const job of runtime.jobs) context.jobs.handle(job)
  handleSweeps(context, runtime.sweeps)
  running.push(runtime)
  /** As the app does once it listens. */
  async function open(): Promise<void> {
    await scheduleSweeps(context, runtime.sweeps)
    context.jobs.start()
    await runtime.recover()
  }
  return { runtime, jobs: context.jobs, open }
}
type Process = ReturnType<typeof startProcess>

async function begin({ runtime }: Process, data: Parameters<typeof timedFlow>[0]) {
  const flow = await insertPublishedFlow(database.db, timedFlow(data))
  const { ref } = await runtime.start({ ...flow, environment: 'sharing', clientId: 'start-0001', startedBy: null })
  return ref
}

async function said({ runtime }: Process, ref: ConversationRef): Promise<string[]> {
  const { messages } = await runtime.read(ref)
  return messages.map(({ author, content }) => {
    const text = content.kind === 'text' ? richTextToString(content.text, () => '') : content.kind
    return `${author === 1 ? 'bot' : 'visitor'}: ${text}`
  })
}
const type = ({ runtime }: Process, ref: ConversationRef, text: string) =>
  runtime.reply(ref, `message-${text}`, { type: 'text', text })

describe('a question with a time', () => {
  test('goes on without an answer when the time is over, again and again', async () => {
    const one = startProcess()
    const ref = await begin(one, { noReplyAfter: 60 })
    clock.pass(59)
    expect(await one.jobs.runDue()).toBe(0)
    clock.pass(1)
    expect(await one.jobs.runDue()).toBe(1)
    expect(await said(one, ref)).toEqual(['bot: got timeout'])
    clock.pass(60)
    await one.jobs.runDue()
    expect(await said(one, ref)).toEqual(['bot: got timeout', 'bot: got timeout'])
  })

  test('that is answered counts anew from the next question, and the old time does nothing', async () => {
    const one = startProcess()
    const ref = await begin(one, { noReplyAfter: 60 })
    clock.pass(50)
    await type(one, ref, 'hello')
    clock.pass(20)
    expect(await one.jobs.runDue()).toBe(0)
    expect(await said(one, ref)).toEqual(['visitor: hello', 'bot: got hello'])
    clock.pass(40)
    await one.jobs.runDue()
    expect(await said(one, ref)).toEqual(['visitor: hello', 'bot: got hello', 'bot: got timeout'])
  })

  test('is over once, however often its job is carried out', async () => {
    const one = startProcess()
    const ref = await begin(one, { noReplyAfter: 60 })
    clock.pass(60)
    const jobs = await database.db.selectFrom('jobs').selectAll().execute()
    await one.jobs.runDue()
    const again = jobs.map(({ id: _, payload, ...job }) => ({ ...job, key: 'again', payload: JSON.stringify(payload) }))
    await database.db.insertInto('jobs').values(again).execute()
    expect(await one.jobs.runDue()).toBe(1)
    expect(await said(one, ref)).toEqual(['bot: got timeout'])
  })

  test('is over, or answered, when both happen at once, never both', async () => {
    const one = startProcess()
    const ref = await begin(one, { noReplyAfter: 60 })
    clock.pass(60)
    await Promise.all([type(one, ref, 'late'), one.jobs.runDue()])
    const lines = await said(one, ref)
    expect(lines.filter((line) => line === 'bot: got late')).toHaveLength(1)
    expect(lines.length).toBeLessThanOrEqual(3)
    expect((await one.runtime.read(ref)).session.request).not.toBeNull()
  })
})

describe('a wait', () => {
  test('goes on by itself; what is typed meanwhile is refused and not in the conversation', async () => {
    const one = startProcess()
    const ref = await begin(one, { noReplyAfter: 3_600, pause: 10 })
    await type(one, ref, 'a')
    await expect(type(one, ref, 'b')).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('by itself'),
    })
    clock.pass(10)
    await one.jobs.runDue()
    expect(await said(one, ref)).toEqual(['visitor: a', 'bot: got a', 'bot: waited'])
    await type(one, ref, 'b')
    expect((await said(one, ref)).slice(3)).toEqual(['visitor: b', 'bot: got b'])
  })

  test('tells who listens, also of a turn that says nothing', async () => {
    const one = startProcess()
    const ref = await begin(one, { noReplyAfter: 3_600, pause: 10 })
    await type(one, ref, 'a')
    let told = 0
    one.runtime.updates.subscribe(ref.id, () => told++)
    clock.pass(10)
    await one.jobs.runDue()
    expect(told).toBe(1)
  })

  test('that ended while nothing ran is over at once after a restart', async () => {
    const lost = createDatabase(database.connection)
    const first = startProcess([], lost)
    const ref = await begin(first, { noReplyAfter: 3_600, pause: 10 })
    await type(first, ref, 'a')
    await first.runtime.close()
    await lost.destroy()
    clock.pass(86_400)
    const second = startProcess()
    await second.open()
    await second.jobs.runDue()
    expect(await said(second, ref)).toEqual(['visitor: a', 'bot: got a', 'bot: waited'])
    await second.jobs.close()
  })
})

test('a turn that a timer began and a death cut is gone on with, by a sweep of another process, with the same key', async () => {
  const seen: string[] = []
  let called = () => {}
  const inCall = new Promise<void>((resolve) => {
    called = resolve
  })
  const lost = createDatabase(database.connection)
  const dying = startProcess(
    [
      counting((_, { idempotencyKey }) => {
        seen.push(idempotencyKey)
        called()
        return new Promise(() => {})
      }),
    ],
    lost,
  )
  const ref = await begin(dying, { noReplyAfter: 60, calls: true })
  // it alone looks for jobs by itself: another one might take the timer
  await dying.open()
  const other = startProcess([
    counting(async (_, { idempotencyKey }) => {
      seen.push(idempotencyKey)
      return null
    }),
  ])
  clock.pass(60)
  void dying.jobs.runDue()
  await inCall
  await Promise.all([running.splice(0, 1)[0]?.close(), dying.jobs.close()])

  clock.pass(60)
  await other.jobs.runDue()
  expect(await said(other, ref)).toEqual(['bot: got timeout'])
  expect(seen).toEqual([seen[0], seen[0]])
  await lost.destroy()
})

test('drafts that the playground froze are forgotten after a day, but for those that a conversation is about', async () => {
  const one = startProcess()
  const ref = await begin(one, { noReplyAfter: 60 })
  const published = await database.db.selectFrom('flow_versions').selectAll().executeTakeFirstOrThrow()
  const draft = async (hash: string) =>
    database.db
      .insertInto('flow_versions')
      .values({
        project_id: published.project_id,
        flow_id: published.flow_id,
        number: null,
        hash,
        flow: '{}',
        created_by: null,
        created_at: clock(),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
  const used = await draft('used')
  await draft('unused')
  await database.db.updateTable('runs').set({ flow_version_id: used.id }).where('id', '=', ref.run_id).execute()
  clock.pass(86_000)
  const fresh = await draft('fresh')
  clock.pass(500)
  await one.open()
  await one.jobs.runDue()
  const left = await database.db.selectFrom('flow_versions').select('id').orderBy('id').execute()
  expect(left.map(({ id }) => id)).toEqual([published.id, used.id, fresh.id])
  await one.jobs.close()
})

test('a sweep that fails all night is made again in the morning', async () => {
  const one = startProcess()
  const { projectId } = await insertPublishedFlow(database.db, timedFlow({ noReplyAfter: 60 }))
  const flow = await database.db.selectFrom('flows').select('id').executeTakeFirstOrThrow()
  const draft = { project_id: projectId, flow_id: flow.id, number: null, hash: 'draft', flow: '{}', created_by: null }
  await database.db
    .insertInto('flow_versions')
    .values({ ...draft, created_at: clock() })
    .execute()
  await one.open()
  await sql`alter table flow_versions rename to flow_versions_away`.execute(database.db)
  for (let hour = 0; hour < 24; hour++) {
    clock.pass(3_600)
    await one.jobs.runDue()
  }
  await sql`alter table flow_versions_away rename to flow_versions`.execute(database.db)
  clock.pass(3_600)
  await one.jobs.runDue()
  const left = await database.db.selectFrom('flow_versions').select('hash').execute()
  expect(left.map(({ hash }) => hash)).toEqual(['x'])
  await one.jobs.close()
})

test('the time of a conversation that was deleted runs out without a trace', async () => {
  const one = startProcess()
  const ref = await begin(one, { noReplyAfter: 60 })
  await database.db.deleteFrom('conversations').where('id', '=', ref.id).execute()
  clock.pass(60)
  await one.jobs.runDue()
  expect(await database.db.selectFrom('jobs').selectAll().execute()).toEqual([])
})
