import { randomBytes } from 'node:crypto'
import pg from 'pg'
import pino from 'pino'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { webCapabilities } from '../../../../engine/flow/capabilities'
import { plainRichText, richTextToString } from '../../../../engine/values/richText'
import { callingFlow, callingRegistry } from '../../../../tests/support/callingFlow'
import { createTestClock, type TestClock } from '../../../../tests/support/clock'
import { createTestDatabase, type TestDatabase } from '../../../../tests/support/database'
import { counting } from '../../../../tests/support/effects'
import { insertPublishedFlow, type PublishedFlow } from '../../../../tests/support/publishedFlow'
import { runtimeContext } from '../../../../tests/support/runtimeContext'
import { systemOrigin } from '../../../../tests/support/systemOrigin'
import { timedFlow, timedRegistry } from '../../../../tests/support/timedFlow'
import { parseConfig } from '../../../platform/config/config'
import type { ServerContext } from '../../../platform/context'
import { createRuntime } from '../runtime/createRuntime'
import type { Channel, Delivered, Owed, Received } from './channel'
import { takeReceived } from './receive'

let database: TestDatabase
let clock: TestClock
let pigeons: ReturnType<typeof createPigeons>
const open: { close(): Promise<unknown> }[] = []
beforeEach(async () => {
  database = await createTestDatabase()
  clock = createTestClock()
  pigeons = createPigeons()
})
afterEach(async () => {
  await Promise.all(open.splice(0).map((runtime) => runtime.close()))
  await database.close()
})

/**
 * A channel in memory: `next` says what becomes of an attempt; what arrives twice under one key is one message to
 * whoever reads.
 */
function createPigeons() {
  const arrived = new Map<string, Owed>()
  const attempts: string[] = []
  const state = { next: async (_: Owed): Promise<Delivered> => ({ outcome: 'sent', externalId: null }) }
  const channel: Channel = {
    capabilities: { ...webCapabilities, label: 'Pigeons', features: [] },
    async deliver(owed) {
      attempts.push(textOf(owed))
      const delivered = await state.next(owed)
      if (delivered.outcome === 'sent') arrived.set(owed.key, owed)
      return delivered
    },
  }
  return { channel, attempts, state, texts: () => [...arrived.values()].map(textOf), arrived }
}
const textOf = ({ content }: Pick<Owed, 'content'>): string =>
  content.kind === 'text' ? richTextToString(content.text, () => '') : content.kind

function startProcess(registry: ServerContext['registry'] = callingRegistry) {
  const context = runtimeContext({
    db: database.db,
    config: parseConfig({}),
    registry,
    clock,
    ids: () => randomBytes(8).toString('hex'),
    log: pino({ level: 'silent' }),
  })
  const handlers = [counting(async () => 1)]
  const runtime = createRuntime(context, handlers, undefined, undefined, new Map([['pigeons', pigeons.channel]]))
  for (const job of runtime.jobs) context.jobs.handle(job)
  open.push(runtime)
  const { jobs } = context
  async function comes(flow: PublishedFlow, messages: Received[]) {
    const into = { name: 'pigeons', chatbot: { ...flow, environment: 'production' as const } }
    for (const received of messages) await takeReceived(context, runtime, into, received)
  }
  return { runtime, jobs, comes }
}
const message = (text: string, address = 'Ada') => ({ address, messageId: `${address}-${text}`, text })
const publish = (flow = callingFlow({ calls: false })) => insertPublishedFlow(database.db, flow)
const deliveries = () => database.db.selectFrom('deliveries').selectAll().orderBy('id').execute()
const conversations = () => database.db.selectFrom('conversations').selectAll().orderBy('id').execute()
async function said(conversationId: string) {
  const rows = await database.db
    .selectFrom('messages')
    .select('content')
    .where('conversation_id', '=', conversationId)
    .orderBy('seq')
    .execute()
  return rows.map(textOf)
}

/** Lets nobody begin a conversation until it is opened. */
async function holdInserts() {
  const client = new pg.Client(database.connection)
  await client.connect()
  await client.query('begin; lock table conversations in share mode')
  const waiting = async () => {
    const { rows } = await client.query(
      `select count(*)::int as n from pg_locks where relation = 'conversations'::regclass and not granted
        and database = (select oid from pg_database where datname = current_database())`,
    )
    return rows[0]?.n
  }
  const open = async () => {
    await client.query('commit')
    await client.end()
  }
  return { waiting, open }
}

describe('what comes in', () => {
  test('begins a conversation with the message in it, and goes on in it', async () => {
    const { jobs, comes } = startProcess()
    const flow = await publish()
    await comes(flow, [message('hi')])
    await comes(flow, [message('one'), message('two')])
    await jobs.runDue()
    const [conversation, ...others] = await conversations()
    expect(others).toEqual([])
    expect(conversation).toMatchObject({ channel: 'pigeons', address: 'Ada', status: 'bot', team_unread: 3 })
    expect(await said(conversation?.id ?? '')).toEqual(['hi', 'one', 'one:null', 'two', 'two:null'])
    expect(pigeons.texts()).toEqual(['one:null', 'two:null'])
    const [last] = [...pigeons.arrived.values()].slice(-1)
    expect(last).toMatchObject({ address: 'Ada', request: { input: 'text' } })
  })

  test('is one message however often it comes, and one conversation when two come at once', async () => {
    const [one, two] = [startProcess(), startProcess()]
    const flow = await publish()
    const all = ['a', 'b', 'c', 'd'].map((text) => message(text))
    const gate = await holdInserts()
    const coming = all.map((each, at) => (at % 2 ? one : two).comes(flow, [each]))
    try {
      // each has found no conversation
      await expect.poll(gate.waiting).toBe(all.length)
    } finally {
      await gate.open()
    }
    await Promise.all(coming)
    await Promise.all([...all, ...all].map((each, at) => (at % 2 ? one : two).comes(flow, [each])))
    const [conversation, ...others] = await conversations()
    expect(others).toEqual([])
    const words = (await said(conversation?.id ?? '')).filter((text) => !text.includes(':'))
    expect(words.toSorted()).toEqual(['a', 'b', 'c', 'd'])
  })

  test('stands in the conversation also while nothing takes it', async () => {
    const { jobs, comes } = startProcess(timedRegistry)
    const flow = await publish(timedFlow({ noReplyAfter: 60, pause: 30 }))
    await comes(flow, [message('hi')])
    await comes(flow, [message('one')])
    await comes(flow, [message('meanwhile')])
    await comes(flow, [message('meanwhile')])
    clock.pass(30)
    await jobs.runDue()
    const [conversation] = await conversations()
    expect(await said(conversation?.id ?? '')).toEqual(['hi', 'one', 'got one', 'meanwhile', 'waited'])
    expect(pigeons.texts()).toEqual(['got one', 'waited'])
  })

  test('begins another conversation once the one before is closed', async () => {
    const { runtime, comes } = startProcess()
    const flow = await publish()
    await comes(flow, [message('hi')])
    const [first] = await conversations()
    await runtime.people.close({ id: first?.id ?? '', project_id: flow.projectId }, { actor: 'system' })
    await comes(flow, [message('again')])
    // sent once more by the other side, it is the message of the closed one
    await comes(flow, [message('hi')])
    const all = await conversations()
    expect(all.map(({ status }) => status)).toEqual(['closed', 'bot'])
    expect(await said(all[1]?.id ?? '')).toEqual(['again'])
  })
})

describe('what goes out', () => {
  test('is nothing on the web, whose streams read the messages', async () => {
    const { runtime } = startProcess()
    const flow = await publish()
    const { ref } = await runtime.start({ ...flow, environment: 'sharing', clientId: 'start-0001', startedBy: null })
    await runtime.reply(ref, 'message-1', { type: 'text', text: 'one' })
    expect(await deliveries()).toEqual([])
    expect(await database.db.selectFrom('jobs').select('kind').execute()).toEqual([])
  })

  test('is tried again later when it fails, in order, under the same key', async () => {
    const { jobs, comes } = startProcess()
    const flow = await publish()
    const keys: string[] = []
    pigeons.state.next = async ({ key }) => {
      keys.push(key)
      if (keys.length === 1) throw new Error('hawk')
      return keys.length === 2 ? { outcome: 'failed', reason: 'fog' } : { outcome: 'sent', externalId: 'ring' }
    }
    await comes(flow, [message('hi'), message('one'), message('two')])
    await jobs.runDue()
    expect(pigeons.attempts).toEqual(['one:null'])
    expect((await deliveries())[0]).toMatchObject({ status: 'due', attempts: 1, error: 'hawk' })
    // another message does not make the first one hurry, nor overtake it
    await comes(flow, [message('three')])
    await jobs.runDue()
    expect(pigeons.attempts).toEqual(['one:null'])
    clock.pass(10)
    await jobs.runDue()
    expect(pigeons.attempts).toEqual(['one:null', 'one:null'])
    clock.pass(20)
    await jobs.runDue()
    expect(pigeons.texts()).toEqual(['one:null', 'two:null', 'three:null'])
    expect(new Set(keys.slice(0, 3)).size).toBe(1)
    expect((await deliveries()).map(({ status, external_id }) => [status, external_id])).toEqual(
      Array.from({ length: 3 }, () => ['sent', 'ring']),
    )
  })

  test('waits for as long as the other side says', async () => {
    const { jobs, comes } = startProcess()
    const after = new Date(clock().getTime() + 300_000)
    pigeons.state.next = async () => ({ outcome: 'failed', reason: 'rain', after })
    await comes(await publish(), [message('hi'), message('one')])
    await jobs.runDue()
    clock.pass(299)
    await jobs.runDue()
    expect(pigeons.attempts).toHaveLength(1)
    clock.pass(1)
    await jobs.runDue()
    expect(pigeons.attempts).toHaveLength(2)
  })

  test('is given up when it is refused or failed ten times, with the reason, and does not hold up what follows', async () => {
    const { runtime, jobs, comes } = startProcess()
    const flow = await publish()
    pigeons.state.next = async (owed) => {
      if (textOf(owed) === 'one:null') return { outcome: 'refused', reason: 'Ada moved' }
      if (textOf(owed) === 'two:null') return { outcome: 'failed', reason: 'storm' }
      return { outcome: 'sent', externalId: null }
    }
    await comes(flow, [message('hi'), message('one'), message('two'), message('three')])
    for (let hour = 0; hour < 12; hour++) {
      await jobs.runDue()
      clock.pass(3_600)
    }
    expect((await deliveries()).map(({ status, attempts, error }) => [status, attempts, error])).toEqual([
      ['dead', 1, 'Ada moved'],
      ['dead', 10, 'storm'],
      ['sent', 1, null],
    ])
    expect(pigeons.texts()).toEqual(['three:null'])

    pigeons.state.next = async () => ({ outcome: 'sent', externalId: null })
    const [dead, , sent] = await deliveries()
    const ref = { id: dead?.conversation_id ?? '', gid: 'conversation', project_id: flow.projectId }
    const origin = systemOrigin(flow.projectId)
    await runtime.sendAgain(ref, dead?.seq ?? 0, origin)
    await jobs.runDue()
    expect(pigeons.texts()).toEqual(['three:null', 'one:null'])
    await expect(runtime.sendAgain(ref, sent?.seq ?? 0, origin)).rejects.toMatchObject({ code: 'not_found' })
  })

  test('comes again under its key when a process died between sending and noting it, and nothing twice otherwise', async () => {
    const one = startProcess()
    const flow = await publish()
    await one.comes(flow, [message('hi'), message('one')])
    pigeons.state.next = async (owed) => {
      pigeons.arrived.set(owed.key, owed)
      return new Promise(() => {})
    }
    void one.jobs.runDue()
    await expect.poll(() => pigeons.attempts).toHaveLength(1)
    pigeons.state.next = async () => ({ outcome: 'sent', externalId: null })
    const two = startProcess()
    await two.jobs.runDue()
    expect(pigeons.attempts).toHaveLength(1)
    // the job's lease ends before the message's: it is left to whoever may still be at it
    clock.pass(16)
    await two.jobs.runDue()
    expect(pigeons.attempts).toHaveLength(1)
    clock.pass(5)
    await two.jobs.runDue()
    expect(pigeons.attempts).toEqual(['one:null', 'one:null'])
    expect(pigeons.texts()).toEqual(['one:null'])
    clock.pass(3_600)
    await two.jobs.runDue()
    expect(pigeons.attempts).toHaveLength(2)
  })

  test('is what people say, too', async () => {
    const { runtime, jobs, comes } = startProcess()
    const flow = await publish()
    await comes(flow, [message('hi')])
    const [conversation] = await conversations()
    const ref = { id: conversation?.id ?? '', project_id: flow.projectId }
    const content = { kind: 'text' as const, text: plainRichText('Hello') }
    await runtime.people.append(ref, [{ author: 1, content, blockId: null }])
    await jobs.runDue()
    expect(pigeons.texts()).toEqual(['Hello'])
  })
})
