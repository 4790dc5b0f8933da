import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import pino from 'pino'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { plainRichText, richTextToString } from '../../../../engine/values/richText'
import { callingFlow, callingRegistry } from '../../../../tests/support/callingFlow'
import { createTestClock, type TestClock } from '../../../../tests/support/clock'
import { createTestDatabase, type TestDatabase } from '../../../../tests/support/database'
import { type Count, counting } from '../../../../tests/support/effects'
import { insertPublishedFlow, type PublishedFlow } from '../../../../tests/support/publishedFlow'
import { runtimeContext } from '../../../../tests/support/runtimeContext'
import { timedFlow, timedRegistry } from '../../../../tests/support/timedFlow'
import { parseConfig } from '../../../platform/config/config'
import type { ServerContext } from '../../../platform/context'
import { presentConversation } from '../chat/presenter'
import type { ConversationRef } from '../conversations/conversationRef'
import { createRuntime } from './createRuntime'

let database: TestDatabase
let clock: TestClock
let ada: string
const open: { close(): Promise<unknown> }[] = []
beforeEach(async () => {
  database = await createTestDatabase()
  clock = createTestClock()
  const user = { gid: 'a'.repeat(16), email: 'ada@example.org', first_name: 'Ada', last_name: 'L', password_hash: 'x' }
  const { id } = await database.db
    .insertInto('users')
    .values({ ...user, created_at: clock() })
    .returning('id')
    .executeTakeFirstOrThrow()
  ada = id
})
afterEach(async () => {
  await Promise.all(open.splice(0).map((runtime) => runtime.close()))
  await database.close()
})

function startProcess(count: Count = async () => 1, registry: ServerContext['registry'] = callingRegistry) {
  const context = runtimeContext({
    db: database.db,
    config: parseConfig({}),
    registry,
    clock,
    ids: () => randomBytes(8).toString('hex'),
    log: pino({ level: 'silent' }),
  })
  const runtime = createRuntime(context, [counting(count)])
  for (const job of runtime.jobs) context.jobs.handle(job)
  open.push(runtime)
  return { runtime, jobs: context.jobs }
}
type Runtime = ReturnType<typeof startProcess>['runtime']

const begin = async (runtime: Runtime, flow: PublishedFlow, clientId = 'start-0001') =>
  (await runtime.start({ ...flow, environment: 'sharing', clientId, startedBy: null })).ref
const type = (runtime: Runtime, ref: ConversationRef, text: string) =>
  runtime.reply(ref, `message-${text}`, { type: 'text', text })
const say = (runtime: Runtime, ref: ConversationRef, words: string) =>
  runtime.people.say(ref, {
    userId: ada,
    clientId: `said-${words}`,
    content: { kind: 'text', text: plainRichText(words) },
  })
async function said(runtime: Runtime, ref: ConversationRef): Promise<string[]> {
  const { messages } = await runtime.read(ref)
  return messages.map(({ seq, content }, index) => {
    expect(seq).toBe(index + 1)
    return content.kind === 'text' ? richTextToString(content.text, () => '') : content.kind
  })
}
const rowOf = (ref: ConversationRef) =>
  database.db.selectFrom('conversations').selectAll().where('id', '=', ref.id).executeTakeFirstOrThrow()
const runsOf = (ref: ConversationRef) =>
  database.db.selectFrom('runs').selectAll().where('conversation_id', '=', ref.id).orderBy('number').execute()

describe('a person who takes over', () => {
  test('answers instead of the bot, which goes on where it stood when the conversation is given back', async () => {
    const { runtime } = startProcess()
    const flow = await insertPublishedFlow(database.db, callingFlow({ calls: false }))
    const ref = await begin(runtime, flow)
    await type(runtime, ref, 'one')
    await runtime.people.takeOver(ref, ada)
    expect(await rowOf(ref)).toMatchObject({ status: 'person', assignee_id: ada })
    await say(runtime, ref, 'Hello')
    await say(runtime, ref, 'Hello')
    const answer = presentConversation(null, await type(runtime, ref, 'two'))
    expect(answer).toMatchObject({ state: 'waiting', request: { input: 'text', required: true } })
    expect(answer.messages).toHaveLength(1)
    await runtime.people.giveBack(ref, ada, flow)
    await type(runtime, ref, 'three')
    expect(await said(runtime, ref)).toEqual(['one', 'one:null', 'Hello', 'two', 'three', 'three:null'])
    const sender = database.db.selectFrom('messages').select(['author', 'sender_id']).where('seq', '=', 3)
    expect(await sender.executeTakeFirst()).toEqual({ author: 1, sender_id: ada })
    expect(await runsOf(ref)).toHaveLength(1)
  })

  test('hears nothing of a bot whose call was under way; what it says comes when the conversation is given back', async () => {
    let finish = () => {}
    const keys: string[] = []
    const { runtime } = startProcess(async (_, { idempotencyKey: key }) => {
      keys.push(key)
      await new Promise<void>((resolve) => {
        finish = resolve
      })
      return 'late'
    })
    const flow = await insertPublishedFlow(database.db, callingFlow({ calls: true }))
    const ref = await begin(runtime, flow)
    const answer = type(runtime, ref, 'one')
    await expect.poll(() => keys).toHaveLength(1)
    await runtime.people.takeOver(ref, ada)
    finish()
    expect((await answer).messages).toHaveLength(1)
    await say(runtime, ref, 'Hello')
    expect(await runtime.recover()).toBe(0)
    expect(await said(runtime, ref)).toEqual(['one', 'Hello'])
    await runtime.people.giveBack(ref, ada, flow)
    expect(await said(runtime, ref)).toEqual(['one', 'Hello', 'one:"late"'])
    expect(keys).toHaveLength(1)
  })

  test('is not interrupted by a time that runs out; it counts again from when the conversation is given back', async () => {
    const { runtime, jobs } = startProcess(undefined, timedRegistry)
    const flow = await insertPublishedFlow(database.db, timedFlow({ noReplyAfter: 60 }))
    const ref = await begin(runtime, flow)
    await runtime.people.takeOver(ref, ada)
    clock.pass(61)
    await jobs.runDue()
    expect(await said(runtime, ref)).toEqual([])
    await runtime.people.giveBack(ref, ada, flow)
    clock.pass(59)
    await jobs.runDue()
    expect(await said(runtime, ref)).toEqual([])
    clock.pass(1)
    await jobs.runDue()
    expect(await said(runtime, ref)).toEqual(['got timeout'])
  })

  test('is told of what is unread on either side', async () => {
    const { runtime } = startProcess()
    const ref = await begin(runtime, await insertPublishedFlow(database.db, callingFlow({ calls: false })))
    await type(runtime, ref, 'one')
    expect(await rowOf(ref)).toMatchObject({ team_unread: 1, visitor_unread: 1 })
    await runtime.people.see(ref, 'visitor')
    await runtime.people.takeOver(ref, ada)
    await type(runtime, ref, 'two')
    expect(await rowOf(ref)).toMatchObject({ team_unread: 2, visitor_unread: 0 })
    await say(runtime, ref, 'Hello')
    expect(await rowOf(ref)).toMatchObject({ team_unread: 0, visitor_unread: 1 })
    await runtime.people.close(ref, { actor: 'user', userId: ada })
    await expect(say(runtime, ref, 'Bye')).rejects.toThrow('The conversation has ended.')
  })

  test('has it again when its visitor writes after it was closed; what a bot ended stays so', async () => {
    const { runtime } = startProcess()
    const ref = await begin(runtime, await insertPublishedFlow(database.db, callingFlow({ calls: false })))
    await runtime.people.close(ref, { actor: 'user', userId: ada })
    expect(presentConversation(null, await runtime.read(ref))).toMatchObject({
      state: 'ended',
      request: { input: 'text' },
    })
    const member = { project_id: ref.project_id, user_id: ada, roles: [1], created_at: clock() }
    await database.db.insertInto('project_members').values(member).execute()
    await type(runtime, ref, 'three')
    expect(await rowOf(ref)).toMatchObject({ status: 'person', assignee_id: ada, team_unread: 1 })
    await runtime.people.close(ref, { actor: 'user', userId: ada })
    // who had it is no member any more: it waits for another person
    await database.db.deleteFrom('project_members').where('user_id', '=', ada).execute()
    await type(runtime, ref, 'four')
    expect(await rowOf(ref)).toMatchObject({ status: 'person', assignee_id: null, waiting_since: clock() })
    await runtime.people.close(ref, { actor: 'system' })
    await expect(type(runtime, ref, 'five')).rejects.toThrow('The conversation has ended.')
  })
})

test('a conversation tells what happened in it, each turn once, with who did it', async () => {
  const { runtime } = startProcess()
  const flow = await insertPublishedFlow(database.db, callingFlow({ calls: false }))
  const ref = await begin(runtime, flow)
  // sent again by the same client: it is the same conversation
  await begin(runtime, flow)
  await type(runtime, ref, 'one')
  await runtime.people.takeOver(ref, ada)
  await say(runtime, ref, 'Hello')
  await runtime.people.giveBack(ref, ada, flow)
  await runtime.people.restart(ref, flow)
  await runtime.people.close(ref, { actor: 'user', userId: ada })
  const { gid, environment } = await rowOf(ref)
  const rows = await database.db.selectFrom('events').selectAll().orderBy('id').execute()
  expect(rows.map(({ type, actor, user_id, payload }) => [type, user_id === ada ? 'Ada' : actor, payload])).toEqual(
    [
      ['conversation.started', 'visitor', { channel: 'web' }],
      ['run.started', 'visitor', { run: 1 }],
      ['message.created', 'visitor', { first: 1, last: 2 }],
      ['conversation.assigned', 'Ada', { user: ada }],
      ['message.created', 'Ada', { first: 3, last: 3 }],
      ['conversation.givenBack', 'Ada', {}],
      ['run.ended', 'bot', { run: 1 }],
      ['run.started', 'bot', { run: 2 }],
      ['run.ended', 'Ada', { run: 2 }],
      ['conversation.closed', 'Ada', {}],
    ].map(([type, who, payload]) => [type, who, { conversation: gid, environment, ...(payload as object) }]),
  )
  expect(rows.every(({ project_id }) => project_id === flow.projectId)).toBe(true)
})

describe('another run of a conversation', () => {
  test('goes on in it under calls of its own, and what the one before waited for comes to nothing', async () => {
    const keys: string[] = []
    const { runtime } = startProcess(async (_, { idempotencyKey: key }) => keys.push(key))
    const flow = await insertPublishedFlow(database.db, callingFlow({ calls: true }))
    const ref = await begin(runtime, flow)
    await type(runtime, ref, 'one')
    await runtime.people.restart(ref, flow)
    await type(runtime, ref, 'two')
    expect(await said(runtime, ref)).toEqual(['one', 'one:1', 'two', 'two:2'])
    const runs = await runsOf(ref)
    expect(runs.map(({ number, state, turns, first_seq }) => [number, state, turns, first_seq])).toEqual([
      [1, 'ended', 2, 1],
      [2, 'waiting', 2, 3],
    ])
    expect(runs[1]?.session.variables).toMatchObject({ sys_conversation_id: ref.gid, answered: 'two' })
    // the same place in the flow, and yet another call; both name the conversation first
    expect(new Set(keys).size).toBe(2)
    expect(keys.map((key) => key.slice(0, key.indexOf('.')))).toEqual([ref.gid, ref.gid])
  })

  test('is not taken for the one before by its timer', async () => {
    const { runtime, jobs } = startProcess(undefined, timedRegistry)
    const flow = await insertPublishedFlow(database.db, timedFlow({ noReplyAfter: 60 }))
    const ref = await begin(runtime, flow)
    const [job] = await database.db.selectFrom('jobs').selectAll().where('kind', '=', 'conversation-timer').execute()
    await runtime.people.restart(ref, flow)
    await sql`update jobs set payload = ${JSON.stringify(job?.payload)}::json where kind = 'conversation-timer'`.execute(
      database.db,
    )
    clock.pass(61)
    await jobs.runDue()
    expect(await said(runtime, ref)).toEqual([])
  })

  test('begins when what was handed to people is given back', async () => {
    const { runtime } = startProcess()
    const flow = await insertPublishedFlow(database.db, callingFlow({ calls: false }))
    const ref = await begin(runtime, flow)
    await sql`update runs set session = jsonb_set(session::jsonb, '{open}', '{"request":{}}')::json`.execute(
      database.db,
    )
    await type(runtime, ref, 'one')
    expect(await rowOf(ref)).toMatchObject({ status: 'waiting' })
    await runtime.people.takeOver(ref, ada)
    await runtime.people.giveBack(ref, ada, flow)
    await type(runtime, ref, 'two')
    expect(await rowOf(ref)).toMatchObject({ status: 'bot', assignee_id: null })
    expect(await runsOf(ref)).toHaveLength(2)
  })

  test('takes a reply that waited while it began, and none is lost between two processes', async () => {
    const [one, two] = [startProcess(), startProcess()]
    const flow = await insertPublishedFlow(database.db, callingFlow({ calls: false }))
    const ref = await begin(one.runtime, flow)
    const words = Array.from({ length: 20 }, (_, at) => `w${at}`)
    await Promise.all([
      ...words.map((word, at) => type(at % 2 ? one.runtime : two.runtime, ref, word)),
      ...words.slice(0, 5).map(() => one.runtime.people.restart(ref, flow)),
    ])
    const all = await said(one.runtime, ref)
    expect(all.filter((text) => !text.includes(':')).toSorted()).toEqual(words.toSorted())
    expect(all.filter((text) => text.includes(':')).toSorted()).toEqual(words.map((word) => `${word}:null`).toSorted())
  })
})
