import { randomBytes } from 'node:crypto'
import { getEventListeners } from 'node:events'
import { sql } from 'kysely'
import pino from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Json } from '../../../../engine/values/json'
import { richTextToString } from '../../../../engine/values/richText'
import { callingFlow, callingRegistry } from '../../../../tests/support/callingFlow'
import { createTestDatabase, type TestDatabase } from '../../../../tests/support/database'
import { type Count, countEffect, counting } from '../../../../tests/support/effects'
import { notingDatabase } from '../../../../tests/support/notingDatabase'
import { insertPublishedFlow, type PublishedFlow } from '../../../../tests/support/publishedFlow'
import { runtimeContext } from '../../../../tests/support/runtimeContext'
import { parseConfig } from '../../../platform/config/config'
import { createDatabase, type RootDb } from '../../../platform/database/database'
import type { CallContext } from '../../../platform/effects/callContext'
import { type EffectHandler, handleEffect } from '../../../platform/effects/handleEffect'
import { createRuntime, type Runtime } from './createRuntime'

// A long file, since it is the contract of one function, `createRuntime`, which each test breaks at another moment:
// all of them use the same flow that calls, the same counter of calls, and the same two processes at one database.

let database: TestDatabase
beforeEach(async () => {
  database = await createTestDatabase()
})
afterEach(() => database.close())

const contextOf = (db: RootDb, log = pino({ level: 'silent' }), clock = () => new Date('2026-01-01T00:00:00Z')) =>
  runtimeContext({
    db,
    config: parseConfig({}),
    registry: callingRegistry,
    clock,
    ids: () => randomBytes(8).toString('hex'),
    log,
  })

const startOptions = (flow: PublishedFlow, clientId: string) => ({
  ...flow,
  environment: 'sharing' as const,
  clientId,
  startedBy: null,
})

/** What stands in a conversation, as `author: text`. */
async function transcript(ref: { id: string; project_id: string }): Promise<string[]> {
  const rows = await database.db
    .selectFrom('messages')
    .select(['author', 'content'])
    .where('conversation_id', '=', ref.id)
    .where('project_id', '=', ref.project_id)
    .orderBy('seq')
    .execute()
  return rows.map(({ author, content }) => {
    const text = content.kind === 'text' ? richTextToString(content.text, () => '') : content.kind
    return `${author === 1 ? 'bot' : 'visitor'}: ${text}`
  })
}

/** Counts its calls by key. */
function createCounter() {
  const calls: string[] = []
  const count: Count = async (request, { idempotencyKey: key }) => {
    calls.push(key)
    return (request as { text: Json }).text
  }
  return { calls, handlers: [counting(count)] }
}

async function begin(
  handlers: EffectHandler[],
  calls: boolean,
): Promise<{ runtime: Runtime; ref: { id: string; project_id: string } }> {
  const flow = await insertPublishedFlow(database.db, callingFlow({ calls }))
  const runtime = createRuntime(contextOf(database.db), handlers)
  const { ref } = await runtime.start(startOptions(flow, 'start-0001'))
  return { runtime, ref }
}

describe('a runtime', () => {
  it('takes the same client message once, however often and however at once it is sent', async () => {
    const counter = createCounter()
    const { runtime, ref } = await begin(counter.handlers, true)
    const send = () => runtime.reply(ref, 'message-1', { type: 'text', text: 'a' })
    await Promise.all([send(), send(), send()])
    await runtime.reply(ref, 'message-2', { type: 'text', text: 'b' })
    await send()
    expect(await transcript(ref)).toEqual(['visitor: a', 'bot: a:"a"', 'visitor: b', 'bot: b:"b"'])
    expect(counter.calls).toHaveLength(2)
    await runtime.close()
  })

  it('leaves its place to other replies while another process makes a call of the conversation', async () => {
    let answer = (_: string) => {}
    const called = new Promise<string>((resolve) => {
      answer = resolve
    })
    const { runtime, ref } = await begin([counting(() => called)], true)
    const other = createRuntime(contextOf(database.db), [counting(async () => 'second')])
    const first = runtime.reply(ref, 'message-1', { type: 'text', text: 'a' })
    await expect.poll(() => transcript(ref)).toEqual(['visitor: a'])
    const moves: string[] = []
    const place = { leave: () => moves.push('left'), takeAgain: () => moves.push('taken') }
    const second = other.reply(ref, 'message-2', { type: 'text', text: 'b' }, { place })
    await expect.poll(() => moves[0]).toBe('left')
    answer('first')
    await Promise.all([first, second])
    expect(moves.slice(-2)).toEqual(['left', 'taken'])
    expect(await transcript(ref)).toEqual(['visitor: a', 'bot: a:"first"', 'visitor: b', 'bot: b:"second"'])
    await Promise.all([runtime.close(), other.close()])
  })

  it('starts one conversation for a start that is sent twice', async () => {
    const flow = await insertPublishedFlow(database.db, callingFlow({ calls: false }))
    const runtime = createRuntime(contextOf(database.db))
    const [one, two] = await Promise.all([
      runtime.start(startOptions(flow, 'start-0001')),
      runtime.start(startOptions(flow, 'start-0001')),
    ])
    expect(one.ref.id).toBe(two.ref.id)
    await runtime.close()
  })

  it('asks the database for a call what its record needs and what its handler asks: whose call it is, it is given', async () => {
    const asked: string[] = []
    const db = notingDatabase(database.db, asked)
    const given: CallContext[] = []
    const handler = counting(async (_, called) => {
      given.push(called)
      await db.forProject(called.project.id).selectFrom('contacts').select('id').execute()
      return 'ok'
    })
    /** What a reply has the database asked. */
    async function reply(calls: boolean) {
      const flow = await insertPublishedFlow(database.db, callingFlow({ calls }))
      const runtime = createRuntime(contextOf(db), [handler])
      const { ref } = await runtime.start(startOptions(flow, 'start-0001'))
      asked.length = 0
      await runtime.reply(ref, 'message-1', { type: 'text', text: 'a' })
      const statements = [...asked]
      await runtime.close()
      return { statements, flow, ref }
    }
    const plain = await reply(false)
    const { statements, flow, ref } = await reply(true)
    // Whoever looked something up for a handler, or a handler that looked up its conversation by a key, would stand
    // between the parked turn and what the handler asks, or beside it. What a call adds to a turn is its record, and
    // the handler's own.
    expect(plain.statements).toEqual(['select conversations', 'update conversations'])
    expect(statements).toEqual([
      'select conversations',
      'pg_try_advisory_lock',
      'insert into effects',
      'update conversations',
      'select contacts',
      'update effects',
      'select conversations',
      'update conversations',
      'pg_advisory_unlock',
      // the transcript, from the visitor's message on, which stood before the call
      'select conversations',
    ])
    const { id, project_id, run_id, gid } = ref
    expect(given).toEqual([
      {
        project: { id: project_id },
        chatbot: { id: flow.chatbotId },
        conversation: { id, gid, visitor: gid },
        run: { id: run_id, versionId: flow.versionId, variables: expect.objectContaining({ answered: null }) },
        environment: 'sharing',
        channel: 'web',
        idempotencyKey: expect.stringMatching(`^${gid}\\.\\d+\\.\\d+$`),
        signal: expect.any(AbortSignal),
        writes: 'real',
        draft: expect.any(Function),
      },
    ])
  })

  it('leaves a call that is under way when its process stops to the next one, under its key, and tells its handler', async () => {
    const keys: string[] = []
    let stopped = false
    let called = () => {}
    const inCall = new Promise<void>((resolve) => {
      called = resolve
    })
    const listening: Count = (_, { idempotencyKey, signal }) => {
      keys.push(idempotencyKey)
      called()
      return new Promise((resolve) => {
        signal.addEventListener('abort', () => {
          stopped = true
          resolve({ ok: false, error: 'It was cut off.' })
        })
      })
    }
    const { runtime, ref } = await begin([counting(listening)], true)
    const replied = runtime.reply(ref, 'message-1', { type: 'text', text: 'a' }).catch(({ code }) => code)
    await inCall
    await runtime.close()
    expect([await replied, stopped]).toEqual(['unavailable', true])
    const next = createRuntime(contextOf(database.db), [
      counting(async (_, { idempotencyKey }) => {
        keys.push(idempotencyKey)
        return 'ok'
      }),
    ])
    expect(await next.recover()).toBe(1)
    expect(await transcript(ref)).toEqual(['visitor: a', 'bot: a:"ok"'])
    expect(keys[1]).toBe(keys[0])
    await next.close()
  })

  it('begins no call once its process stops: the turn is left to the next one', async () => {
    const counter = createCounter()
    const flow = await insertPublishedFlow(database.db, callingFlow({ calls: true }))
    const at = new Date('2026-01-01T00:00:00Z')
    let atPark: () => unknown = () => {}
    // the time is asked when the turn is parked, before its call
    const clock = () => {
      atPark()
      return at
    }
    const runtime = createRuntime(contextOf(database.db, undefined, clock), counter.handlers)
    const { ref } = await runtime.start(startOptions(flow, 'start-0001'))
    let closed: unknown
    atPark = () => {
      closed ??= runtime.close()
    }
    await expect(runtime.reply(ref, 'message-1', { type: 'text', text: 'a' })).rejects.toMatchObject({
      code: 'unavailable',
    })
    await closed
    expect(counter.calls).toEqual([])
    const next = createRuntime(contextOf(database.db), counter.handlers)
    expect(await next.recover()).toBe(1)
    expect(await transcript(ref)).toEqual(['visitor: a', 'bot: a:"a"'])
    expect(counter.calls).toHaveLength(1)
    await next.close()
  })

  it('gives each call a signal of its own, so that what listens to one is gone with it, however many there are', async () => {
    const warnings: Error[] = []
    const note = (warning: Error) => warnings.push(warning)
    process.on('warning', note)
    const signals: AbortSignal[] = []
    const careless: Count = async (_, { signal }) => {
      signals.push(signal)
      signal.addEventListener('abort', () => undefined)
      return 'ok'
    }
    const flow = await insertPublishedFlow(database.db, callingFlow({ calls: true }))
    const runtime = createRuntime(contextOf(database.db), [counting(careless)])
    const talk = async (_: unknown, at: number) => {
      const { ref } = await runtime.start(startOptions(flow, `start-${at}`))
      for (const text of ['a', 'b', 'c']) await runtime.reply(ref, `message-${text}`, { type: 'text', text })
    }
    await Promise.all(Array.from({ length: 5 }, talk))
    expect(new Set(signals).size).toBe(15)
    // the handler's own alone: the runtime has taken back what it listened by
    expect(signals.map((signal) => getEventListeners(signal, 'abort').length)).toEqual(signals.map(() => 1))
    await runtime.close()
    // a call that is over has nothing to be told
    expect(signals.some(({ aborted }) => aborted)).toBe(false)
    process.off('warning', note)
    expect(warnings).toEqual([])
  })

  it('takes no fault of its own for a call whose conversation is deleted meanwhile, and tells of one that is', async () => {
    const { db } = database
    const logged: string[] = []
    const log = pino({ level: 'warn' }, { write: (line: string) => logged.push(line) })
    const flow = await insertPublishedFlow(db, callingFlow({ calls: true }))
    const runtime = createRuntime(contextOf(db, log), [
      counting(async (request, { project, conversation }) => {
        const { text } = request as { text: string }
        if (text === 'delete') await db.deleteFrom('conversations').where('id', '=', conversation.id).execute()
        const conversation_id = text === 'fault' ? '0' : conversation.id
        const said = { team: '', note: '', addresses: '[]', test: false, mailed_seq: 0, handed_over_at: new Date() }
        const values = { ...said, project_id: project.id, conversation_id }
        await db.insertInto('hand_offs').values(values).execute()
        return 'ok'
      }),
    ])
    const reply = async (clientId: string, text: string) => {
      const { ref } = await runtime.start(startOptions(flow, clientId))
      await runtime.reply(ref, 'message-1', { type: 'text', text })
      return (await transcript(ref)).at(-1)
    }
    await expect(reply('start-0001', 'delete')).rejects.toMatchObject({ code: 'not_found' })
    expect(logged).toEqual([])
    expect(await reply('start-0002', 'fault')).toMatch('The call failed.')
    expect(logged.join()).toMatch('a handler threw instead of answering')
    await runtime.close()
  })

  it('takes inputs of one conversation one after the other, and the replies stand behind their messages', async () => {
    const counter = createCounter()
    const { runtime, ref } = await begin(counter.handlers, true)
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        runtime.reply(ref, `message-${index}`, { type: 'text', text: `${index}` }),
      ),
    )
    const said = await transcript(ref)
    expect(said).toHaveLength(40)
    for (let index = 0; index < 40; index += 2) {
      const text = said[index]?.slice('visitor: '.length)
      expect(said[index + 1]).toBe(`bot: ${text}:"${text}"`)
    }
    await runtime.close()
  })

  it('gives the turn to one of two processes that share a database', async () => {
    const counter = createCounter()
    const { runtime, ref } = await begin(counter.handlers, true)
    const other = createDatabase(database.connection)
    const second = createRuntime(contextOf(other), counter.handlers)
    await runtime.reply(ref, 'message-1', { type: 'text', text: 'a' })
    await second.reply(ref, 'message-1', { type: 'text', text: 'a' })
    await second.reply(ref, 'message-2', { type: 'text', text: 'b' })
    await runtime.reply(ref, 'message-3', { type: 'text', text: 'c' })
    expect(await transcript(ref)).toHaveLength(6)
    expect(counter.calls).toHaveLength(3)
    await Promise.all([runtime.close(), second.close()])
    await other.destroy()
  })

  it('goes on after a message that was taken long ago is sent again', async () => {
    const counter = createCounter()
    const { runtime, ref } = await begin(counter.handlers, true)
    const send = (text: string) => runtime.reply(ref, `message-${text}`, { type: 'text', text })
    for (const text of ['a', 'b', 'a', 'c']) await send(text)
    expect(await transcript(ref)).toEqual(
      ['a', 'b', 'c'].flatMap((text) => [`visitor: ${text}`, `bot: ${text}:"${text}"`]),
    )
    expect(counter.calls).toHaveLength(3)
    await runtime.close()
  })

  it('gives each call a key of its own among all conversations, also when there are more of them than connections', async () => {
    const counter = createCounter()
    const few = createDatabase(database.connection, { max: 3 })
    const flow = await insertPublishedFlow(database.db, callingFlow({ calls: true }))
    const runtime = createRuntime(contextOf(few), counter.handlers)
    const started = await Promise.all(
      Array.from({ length: 8 }, (_, index) => runtime.start(startOptions(flow, `start-${index}`))),
    )
    await Promise.all(started.map(({ ref }) => runtime.reply(ref, 'message-1', { type: 'text', text: 'a' })))
    expect(new Set(counter.calls).size).toBe(8)
    await runtime.close()
    await few.destroy()
  })

  it('goes on after a process that died in a call, with the same key and the same chance, and makes no finished call again', async () => {
    const seen: { key: string; request: Json }[] = []
    let called = () => {}
    const inCall = new Promise<void>((resolve) => {
      called = resolve
    })
    const dying: Count = (request, { idempotencyKey: key }) => {
      seen.push({ key, request })
      called()
      return new Promise(() => {})
    }
    const lost = createDatabase(database.connection)
    const flow = await insertPublishedFlow(database.db, callingFlow({ calls: true }))
    const first = createRuntime(contextOf(lost), [counting(dying)])
    const { ref } = await first.start(startOptions(flow, 'start-0001'))
    const cut = first.reply(ref, 'message-1', { type: 'text', text: 'a' }).catch(({ code }) => code)
    await inCall

    const answering: Count = async (request, { idempotencyKey: key }) => {
      seen.push({ key, request })
      return 'ok'
    }
    const second = createRuntime(contextOf(database.db), [counting(answering)], 0)
    await expect(second.reply(ref, 'message-2', { type: 'text', text: 'b' })).rejects.toMatchObject({
      code: 'overloaded',
    })
    await first.close()
    expect(await cut).toBe('unavailable')

    expect(await second.recover()).toBe(1)
    await second.reply(ref, 'message-2', { type: 'text', text: 'b' })
    expect(await transcript(ref)).toEqual(['visitor: a', 'bot: a:"ok"', 'visitor: b', 'bot: b:"ok"'])
    expect(seen).toHaveLength(3)
    expect(seen[1]).toEqual(seen[0])
    expect(seen[2]?.key).not.toBe(seen[0]?.key)
    expect(await second.recover()).toBe(0)
    await second.close()
    await lost.destroy()
  })

  it.each([true, false])(
    'goes on with a tester’s turn that a death cut as it began: carried out %s',
    async (carriesOut) => {
      const seen: string[] = []
      let called = () => {}
      const inCall = new Promise<void>((resolve) => {
        called = resolve
      })
      const handler = (answer: () => Promise<Json>): EffectHandler =>
        handleEffect(countEffect).by<CallContext>({
          carryOut: (_, { idempotencyKey: key, writes }) => {
            seen.push(`carried out ${writes} ${key}`)
            return answer()
          },
          simulate: (_, { idempotencyKey: key, writes }) => {
            seen.push(`simulated ${writes} ${key}`)
            return answer()
          },
        })
      const dying = handler(() => {
        called()
        return new Promise(() => {})
      })
      const lost = createDatabase(database.connection)
      const flow = await insertPublishedFlow(database.db, callingFlow({ calls: true }))
      const at = new Date()
      const { id: user } = await database.db
        .insertInto('users')
        .values({
          gid: randomBytes(8).toString('hex'),
          email: `${randomBytes(4).toString('hex')}@example.com`,
          first_name: 'Ada',
          last_name: 'L',
          password_hash: 'x',
          created_at: at,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      await database.db
        .insertInto('project_members')
        .values({ project_id: flow.projectId, user_id: user, roles: [3], created_at: at })
        .execute()
      const first = createRuntime(contextOf(lost), [dying])
      const { ref } = await first.start({
        ...flow,
        environment: 'editor',
        clientId: 'start-0001',
        startedBy: user,
        carriesOut,
      })
      first.reply(ref, 'message-1', { type: 'text', text: 'a' }).catch(() => undefined)
      await inCall
      await first.close()
      const second = createRuntime(contextOf(database.db), [handler(async () => 'ok')], 0)
      expect(await second.recover()).toBe(1)
      expect(seen).toHaveLength(2)
      expect(seen[0]).toMatch(carriesOut ? /^carried out marked / : /^simulated simulated /)
      expect(seen[1]).toBe(seen[0])
      await second.close()
      await lost.destroy()
    },
  )

  it('takes what is written to one process while another is at the turn, once that is over', async () => {
    let called = () => {}
    const inCall = new Promise<void>((resolve) => {
      called = resolve
    })
    let answer = () => {}
    const slow: Count = () => {
      called()
      return new Promise((resolve) => {
        answer = () => resolve('slow')
      })
    }
    const { runtime, ref } = await begin([counting(slow)], true)
    // the call comes back once the other process was refused the turn
    const other = createDatabase(database.connection).withPlugin({
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        if (result.rows.some((row) => row.ok === false)) answer()
        return result
      },
    })
    const second = createRuntime(
      contextOf(
        Object.assign(other, {
          forProject: database.db.forProject,
          afterInsert: database.db.afterInsert,
          connections: database.db.connections,
        }),
      ),
      [counting(async () => 'second')],
    )
    const first = runtime.reply(ref, 'message-1', { type: 'text', text: 'a' })
    await inCall
    await Promise.all([first, second.reply(ref, 'message-2', { type: 'text', text: 'b' })])
    expect(await transcript(ref)).toEqual(['visitor: a', 'bot: a:"slow"', 'visitor: b', 'bot: b:"second"'])
    await second.close()
    await runtime.close()
    await other.destroy()
  })

  it('leaves a turn to the process that ended it while this one had lost its claim', async () => {
    const { db } = database
    let called = () => {}
    const inCall = new Promise<void>((resolve) => {
      called = resolve
    })
    let answer = (_: Json) => {}
    const slow: Count = () => {
      called()
      return new Promise((resolve) => {
        answer = resolve
      })
    }
    const { runtime, ref } = await begin([counting(slow)], true)
    const replied = runtime.reply(ref, 'message-1', { type: 'text', text: 'a' })
    await inCall
    const other = createDatabase(database.connection)
    const second = createRuntime(contextOf(other), [counting(async () => 'other')])
    const holder = sql<{ ended: boolean }>`select pg_terminate_backend(pid, 5000) as ended from pg_locks
      where locktype = 'advisory' and classid = 7301 and database = (select oid from pg_database where datname = current_database())`
    expect((await holder.execute(db)).rows).toEqual([{ ended: true }])
    expect(await second.recover()).toBe(1)
    answer('late')
    await replied.catch(() => {})
    expect(await transcript(ref)).toEqual(['visitor: a', 'bot: a:"other"'])
    await second.close()
    await runtime.close()
    await other.destroy()
  })

  it('keeps the call of a turn whose end could not be written, and does not make it again', async () => {
    const counter = createCounter()
    const { runtime, ref } = await begin(counter.handlers, true)
    const { db } = database
    await db.updateTable('conversations').set({ last_seq: 1_000 }).where('id', '=', ref.id).execute()
    const blocker = {
      conversation_id: ref.id,
      project_id: ref.project_id,
      seq: 1_002,
      author: 1 as const,
      content: '{}',
      created_at: new Date(),
    }
    await db.insertInto('messages').values(blocker).execute()
    await expect(runtime.reply(ref, 'message-1', { type: 'text', text: 'a' })).rejects.toThrow()
    await db.deleteFrom('messages').where('conversation_id', '=', ref.id).where('seq', '=', 1_002).execute()
    expect(await runtime.recover()).toBe(1)
    expect(await transcript(ref)).toEqual(['visitor: a', 'bot: a:"a"'])
    expect(counter.calls).toHaveLength(1)
    await runtime.close()
  })

  it('refuses a reply to a conversation that is over and one that does not exist', async () => {
    const flow = callingFlow({ calls: false })
    const ended = await insertPublishedFlow(database.db, { ...flow, edges: [] })
    const runtime = createRuntime(contextOf(database.db))
    const { ref } = await runtime.start(startOptions(ended, 'start-0001'))
    await expect(runtime.reply(ref, 'message-1', { type: 'text', text: 'a' })).rejects.toMatchObject({
      code: 'conflict',
    })
    const nobody = { id: '999999', project_id: ref.project_id }
    await expect(runtime.reply(nobody, 'message-1', { type: 'text', text: 'a' })).rejects.toMatchObject({
      code: 'not_found',
    })
    await runtime.close()
  })

  it('does not find a conversation by the right id and a wrong token', async () => {
    const flow = await insertPublishedFlow(database.db, callingFlow({ calls: false }), 'lively-bot')
    const runtime = createRuntime(contextOf(database.db))
    const { ref, token } = await runtime.start(startOptions(flow, 'start-0001'))
    expect((await runtime.findForVisitor({ name: 'lively-bot', gid: ref.gid, token: token ?? '' })).id).toBe(ref.id)
    await expect(runtime.findForVisitor({ name: 'other-bot', gid: ref.gid, token: token ?? '' })).rejects.toMatchObject(
      { code: 'not_found' },
    )
    await expect(runtime.findForVisitor({ name: 'lively-bot', gid: ref.gid, token: 'wrong' })).rejects.toMatchObject({
      code: 'not_found',
    })
    await runtime.close()
  })

  it('reads a flow that it does not know yet while every connection is in a turn', async () => {
    const flow = await insertPublishedFlow(database.db, callingFlow({ calls: false }))
    const first = createRuntime(contextOf(database.db))
    const started = await Promise.all(
      Array.from({ length: 30 }, (_, index) => first.start(startOptions(flow, `start-${index}`))),
    )
    const fresh = createRuntime(contextOf(database.db))
    await Promise.all(started.map(({ ref }) => fresh.reply(ref, 'message-1', { type: 'text', text: 'a' })))
    for (const { ref } of started) expect(await transcript(ref)).toHaveLength(2)
    await Promise.all([first.close(), fresh.close()])
  })
})
