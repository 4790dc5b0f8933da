import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import pino from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Json } from '../../../../engine/values/json'
import { richTextToString } from '../../../../engine/values/richText'
import { callingFlow, callingRegistry } from '../../../../tests/support/callingFlow'
import { createTestDatabase, type TestDatabase } from '../../../../tests/support/database'
import { hostContext } from '../../../../tests/support/hostContext'
import { insertPublishedFlow, type PublishedFlow } from '../../../../tests/support/publishedFlow'
import { parseConfig } from '../../../platform/config/config'
import { createDatabase, type RootDb } from '../../../platform/database/database'
import { type KeyedCall, readsOnly, type Service } from '../../../platform/effects/service'
import { createHost, type Host } from './createHost'

let database: TestDatabase
beforeEach(async () => {
  database = await createTestDatabase()
})
afterEach(() => database.close())

const contextOf = (db: RootDb) =>
  hostContext({
    db,
    config: parseConfig({}),
    registry: callingRegistry,
    clock: () => new Date('2026-01-01T00:00:00Z'),
    ids: () => randomBytes(8).toString('hex'),
    log: pino({ level: 'silent' }),
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

/** A service that counts its calls by key. */
function createCounter() {
  const calls: string[] = []
  const count: KeyedCall = async (request, { key }) => {
    calls.push(key)
    return (request as { text: Json }).text
  }
  return { calls, services: { count: readsOnly(count) } }
}

async function begin(
  services: Record<string, Service>,
  calls: boolean,
): Promise<{ host: Host; ref: { id: string; project_id: string } }> {
  const flow = await insertPublishedFlow(database.db, callingFlow({ calls }))
  const host = createHost(contextOf(database.db), services)
  const { ref } = await host.start(startOptions(flow, 'start-0001'))
  return { host, ref }
}

describe('a host', () => {
  it('takes the same client message once, however often and however at once it is sent', async () => {
    const counter = createCounter()
    const { host, ref } = await begin(counter.services, true)
    const send = () => host.reply(ref, 'message-1', { type: 'text', text: 'a' })
    await Promise.all([send(), send(), send()])
    await host.reply(ref, 'message-2', { type: 'text', text: 'b' })
    await send()
    expect(await transcript(ref)).toEqual(['visitor: a', 'bot: a:"a"', 'visitor: b', 'bot: b:"b"'])
    expect(counter.calls).toHaveLength(2)
    await host.close()
  })

  it('starts one conversation for a start that is sent twice', async () => {
    const flow = await insertPublishedFlow(database.db, callingFlow({ calls: false }))
    const host = createHost(contextOf(database.db))
    const [one, two] = await Promise.all([
      host.start(startOptions(flow, 'start-0001')),
      host.start(startOptions(flow, 'start-0001')),
    ])
    expect(one.ref.id).toBe(two.ref.id)
    await host.close()
  })

  it('takes inputs of one conversation one after the other, and the replies stand behind their messages', async () => {
    const counter = createCounter()
    const { host, ref } = await begin(counter.services, true)
    await Promise.all(
      Array.from({ length: 20 }, (_, index) => host.reply(ref, `message-${index}`, { type: 'text', text: `${index}` })),
    )
    const said = await transcript(ref)
    expect(said).toHaveLength(40)
    for (let index = 0; index < 40; index += 2) {
      const text = said[index]?.slice('visitor: '.length)
      expect(said[index + 1]).toBe(`bot: ${text}:"${text}"`)
    }
    await host.close()
  })

  it('gives the turn to one of two processes that share a database', async () => {
    const counter = createCounter()
    const { host, ref } = await begin(counter.services, true)
    const other = createDatabase(database.connection)
    const second = createHost(contextOf(other), counter.services)
    await host.reply(ref, 'message-1', { type: 'text', text: 'a' })
    await second.reply(ref, 'message-1', { type: 'text', text: 'a' })
    await second.reply(ref, 'message-2', { type: 'text', text: 'b' })
    await host.reply(ref, 'message-3', { type: 'text', text: 'c' })
    expect(await transcript(ref)).toHaveLength(6)
    expect(counter.calls).toHaveLength(3)
    await Promise.all([host.close(), second.close()])
    await other.destroy()
  })

  it('goes on after a message that was taken long ago is sent again', async () => {
    const counter = createCounter()
    const { host, ref } = await begin(counter.services, true)
    const send = (text: string) => host.reply(ref, `message-${text}`, { type: 'text', text })
    for (const text of ['a', 'b', 'a', 'c']) await send(text)
    expect(await transcript(ref)).toEqual(
      ['a', 'b', 'c'].flatMap((text) => [`visitor: ${text}`, `bot: ${text}:"${text}"`]),
    )
    expect(counter.calls).toHaveLength(3)
    await host.close()
  })

  it('gives each call a key of its own among all conversations, also when there are more of them than connections', async () => {
    const counter = createCounter()
    const few = createDatabase(database.connection, { max: 3 })
    const flow = await insertPublishedFlow(database.db, callingFlow({ calls: true }))
    const host = createHost(contextOf(few), counter.services)
    const started = await Promise.all(
      Array.from({ length: 8 }, (_, index) => host.start(startOptions(flow, `start-${index}`))),
    )
    await Promise.all(started.map(({ ref }) => host.reply(ref, 'message-1', { type: 'text', text: 'a' })))
    expect(new Set(counter.calls).size).toBe(8)
    await host.close()
    await few.destroy()
  })

  it('goes on after a process that died in a call, with the same key and the same chance, and makes no finished call again', async () => {
    const seen: { key: string; request: Json }[] = []
    let called = () => {}
    const inCall = new Promise<void>((resolve) => {
      called = resolve
    })
    const dying: KeyedCall = (request, { key }) => {
      seen.push({ key, request })
      called()
      return new Promise(() => {})
    }
    const lost = createDatabase(database.connection)
    const flow = await insertPublishedFlow(database.db, callingFlow({ calls: true }))
    const first = createHost(contextOf(lost), { count: readsOnly(dying) })
    const { ref } = await first.start(startOptions(flow, 'start-0001'))
    void first.reply(ref, 'message-1', { type: 'text', text: 'a' })
    await inCall

    const answering: KeyedCall = async (request, { key }) => {
      seen.push({ key, request })
      return 'ok'
    }
    const second = createHost(contextOf(database.db), { count: readsOnly(answering) }, 0)
    await expect(second.reply(ref, 'message-2', { type: 'text', text: 'b' })).rejects.toMatchObject({
      code: 'overloaded',
    })
    await first.close()

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
      const service = (answer: () => Promise<Json>): Service => ({
        carryOut: (_, { key, writes }) => {
          seen.push(`carried out ${writes} ${key}`)
          return answer()
        },
        simulate: (_, { key, writes }) => {
          seen.push(`simulated ${writes} ${key}`)
          return answer()
        },
      })
      const dying = service(() => {
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
      const first = createHost(contextOf(lost), { count: dying })
      const { ref } = await first.start({
        ...flow,
        environment: 'editor',
        clientId: 'start-0001',
        startedBy: user,
        carriesOut,
      })
      void first.reply(ref, 'message-1', { type: 'text', text: 'a' })
      await inCall
      await first.close()
      const second = createHost(contextOf(database.db), { count: service(async () => 'ok') }, 0)
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
    const slow: KeyedCall = () => {
      called()
      return new Promise((resolve) => {
        answer = () => resolve('slow')
      })
    }
    const { host, ref } = await begin({ count: readsOnly(slow) }, true)
    // the call comes back once the other process was refused the turn
    const other = createDatabase(database.connection).withPlugin({
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        if (result.rows.some((row) => row.ok === false)) answer()
        return result
      },
    })
    const second = createHost(contextOf(Object.assign(other, { forProject: database.db.forProject })), {
      count: readsOnly(async () => 'second'),
    })
    const first = host.reply(ref, 'message-1', { type: 'text', text: 'a' })
    await inCall
    await Promise.all([first, second.reply(ref, 'message-2', { type: 'text', text: 'b' })])
    expect(await transcript(ref)).toEqual(['visitor: a', 'bot: a:"slow"', 'visitor: b', 'bot: b:"second"'])
    await second.close()
    await host.close()
    await other.destroy()
  })

  it('leaves a turn to the process that ended it while this one had lost its claim', async () => {
    const { db } = database
    let called = () => {}
    const inCall = new Promise<void>((resolve) => {
      called = resolve
    })
    let answer = (_: Json) => {}
    const slow: KeyedCall = () => {
      called()
      return new Promise((resolve) => {
        answer = resolve
      })
    }
    const { host, ref } = await begin({ count: readsOnly(slow) }, true)
    const replied = host.reply(ref, 'message-1', { type: 'text', text: 'a' })
    await inCall
    const other = createDatabase(database.connection)
    const second = createHost(contextOf(other), { count: readsOnly(async () => 'other') })
    const holder = sql<{ ended: boolean }>`select pg_terminate_backend(pid, 5000) as ended from pg_locks
      where locktype = 'advisory' and classid = 7301 and database = (select oid from pg_database where datname = current_database())`
    expect((await holder.execute(db)).rows).toEqual([{ ended: true }])
    expect(await second.recover()).toBe(1)
    answer('late')
    await replied.catch(() => {})
    expect(await transcript(ref)).toEqual(['visitor: a', 'bot: a:"other"'])
    await second.close()
    await host.close()
    await other.destroy()
  })

  it('keeps the call of a turn whose end could not be written, and does not make it again', async () => {
    const counter = createCounter()
    const { host, ref } = await begin(counter.services, true)
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
    await expect(host.reply(ref, 'message-1', { type: 'text', text: 'a' })).rejects.toThrow()
    await db.deleteFrom('messages').where('conversation_id', '=', ref.id).where('seq', '=', 1_002).execute()
    expect(await host.recover()).toBe(1)
    expect(await transcript(ref)).toEqual(['visitor: a', 'bot: a:"a"'])
    expect(counter.calls).toHaveLength(1)
    await host.close()
  })

  it('refuses a reply to a conversation that is over and one that does not exist', async () => {
    const flow = callingFlow({ calls: false })
    const ended = await insertPublishedFlow(database.db, { ...flow, edges: [] })
    const host = createHost(contextOf(database.db))
    const { ref } = await host.start(startOptions(ended, 'start-0001'))
    await expect(host.reply(ref, 'message-1', { type: 'text', text: 'a' })).rejects.toMatchObject({ code: 'conflict' })
    const nobody = { id: '999999', project_id: ref.project_id }
    await expect(host.reply(nobody, 'message-1', { type: 'text', text: 'a' })).rejects.toMatchObject({
      code: 'not_found',
    })
    await host.close()
  })

  it('does not find a conversation by the right id and a wrong token', async () => {
    const flow = await insertPublishedFlow(database.db, callingFlow({ calls: false }), 'lively-bot')
    const host = createHost(contextOf(database.db))
    const { ref, token } = await host.start(startOptions(flow, 'start-0001'))
    expect((await host.findForVisitor('lively-bot', ref.gid, token ?? '')).id).toBe(ref.id)
    await expect(host.findForVisitor('other-bot', ref.gid, token ?? '')).rejects.toMatchObject({ code: 'not_found' })
    await expect(host.findForVisitor('lively-bot', ref.gid, 'wrong')).rejects.toMatchObject({ code: 'not_found' })
    await host.close()
  })

  it('reads a flow that it does not know yet while every connection is in a turn', async () => {
    const flow = await insertPublishedFlow(database.db, callingFlow({ calls: false }))
    const first = createHost(contextOf(database.db))
    const started = await Promise.all(
      Array.from({ length: 30 }, (_, index) => first.start(startOptions(flow, `start-${index}`))),
    )
    const fresh = createHost(contextOf(database.db))
    await Promise.all(started.map(({ ref }) => fresh.reply(ref, 'message-1', { type: 'text', text: 'a' })))
    for (const { ref } of started) expect(await transcript(ref)).toHaveLength(2)
    await Promise.all([first.close(), fresh.close()])
  })
})
