import { sql, type Transaction } from 'kysely'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { registry } from '../../../blocks/registry'
import { createCountingIds } from '../../../engine/flow/ids'
import { type Block, emptyFlow, type Flow } from '../../../engine/flow/schema'
import { makeChatbot } from '../../../tests/support/collab'
import { insertPublishedFlow } from '../../../tests/support/publishedFlow'
import { startTestServer, type TestServer } from '../../../tests/support/server'
import { createDatabase } from '../database/database'
import type { Database } from '../database/tables'
import { createAdmission, type GateLimits, gateLimits, type Load } from './admission'

const limits: GateLimits = {
  atOnce: 4,
  ofOne: 2,
  waitingOfOne: 3,
  waiting: 6,
  outsideOfOne: 5,
  waitMs: 60_000,
  refuseMs: 0,
}

describe('a flood of visitors of one project', () => {
  let server: TestServer
  const turn: GateLimits = {
    atOnce: 5,
    ofOne: 3,
    waitingOfOne: 10,
    waiting: 50,
    outsideOfOne: 50,
    waitMs: 60_000,
    refuseMs: 0,
  }
  beforeAll(async () => {
    server = await startTestServer({
      admission: { ...gateLimits, turn },
      config: { chatStartsPerMinute: 0, chatMessagesPerMinute: 0 },
    })
  })
  afterAll(() => server?.close())

  const ids = createCountingIds('b')
  const block = (id: string, kind: string): Block => {
    const definition = registry.get(kind)
    return { id, kind, version: definition.migrations.length, data: definition.defaults(ids) as Block['data'] }
  }
  const flow: Flow = {
    ...emptyFlow(),
    groups: [
      { id: 'g', title: 'G', position: { x: 0, y: 0 }, blocks: [block('start', 'start'), block('ask', 'text-input')] },
    ],
  }
  /** number of queries that wait for a lock of this transaction */
  const waitingFor = async (work: Transaction<Database>) => {
    const { rows } = await sql<{ count: string }>`
      select count(*) as count from pg_locks where not granted and relation = 'chatbots'::regclass
        and database = (select oid from pg_database where datname = current_database())`.execute(work)
    return Number(rows[0]?.count)
  }
  const start = (slug: string, n: number) =>
    fetch(`${server.url}/api/chat/${slug}/conversations`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ client_id: `client-${slug}-${n}` }),
    })

  test('those who are refused together are not answered together: who asks last is not the last', async () => {
    const admission = createAdmission(
      { ...server.context },
      { ...gateLimits, turn: { ...turn, waitingOfOne: 0, refuseMs: 100 } },
    )
    const answered: number[] = []
    const refusals = Array.from({ length: 100 }, (_, n) =>
      admission.shed('turn', { pgid: 'a' }).catch(() => answered.push(n)),
    )
    await Promise.all(refusals)
    expect(answered).toHaveLength(100)
    // by chance the last one may be the last
    expect(answered).not.toEqual(answered.toSorted((a, b) => a - b))
  })

  test('an address that was missing waits no more with those that are, once it is there', async () => {
    const few = { ...turn, ofOne: 1, waitingOfOne: 1 }
    const { run } = createAdmission({ ...server.context }, { ...gateLimits, turn: few })
    const served = () => 'served'
    expect(await run('turn', { slug: 'later' }, served)).toBe('served')
    await insertPublishedFlow(server.context.db, flow, 'later')
    expect(await run('turn', { slug: 'later' }, served)).toBe('served')
    let end = () => {}
    let reached = () => {}
    const begun = new Promise<void>((resolve) => {
      reached = resolve
    })
    const nobody = run('turn', { slug: 'nowhere' }, () => {
      reached()
      return new Promise<void>((resolve) => {
        end = resolve
      })
    })
    await begun
    const waits = run('turn', { slug: 'nowhere' }, served)
    expect(await run('turn', { slug: 'later' }, served)).toBe('served')
    end()
    await Promise.all([nobody, waits])
  })

  test('is refused early, with when to come back; others get in, and all that is acknowledged is there', async () => {
    const { db } = server.context
    const { chatbotId } = await insertPublishedFlow(db, flow, 'flooded')
    await insertPublishedFlow(db, flow, 'quiet')
    const [first, other] = [await start('flooded', 0), await start('quiet', 0)]
    expect([first.status, other.status]).toEqual([200, 200])

    // holds back what the flood's turns write
    const blocking = createDatabase(server.connection, { max: 1 })
    const answers = await blocking.transaction().execute(async (work) => {
      await work.selectFrom('chatbots').select('id').where('id', '=', chatbotId).forUpdate().execute()
      const flood = Array.from({ length: 200 }, (_, n) => start('flooded', n + 1))
      const done: Response[] = []
      for (const each of flood) void each.then((answer) => done.push(answer))
      await expect.poll(() => done.length).toBe(200 - turn.ofOne - turn.waitingOfOne)
      expect(new Set(done.map(({ status }) => status))).toEqual(new Set([503]))
      for (const answer of done.slice(0, 3)) {
        expect(await answer.json()).toMatchObject({ code: 'overloaded' })
        expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
      }
      // before anything else is done: with the headers of every answer, without those of pages
      expect(done[0]?.headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'")
      expect(done[0]?.headers.get('x-content-type-options')).toBe('nosniff')
      expect(done[0]?.headers.get('cross-origin-opener-policy')).toBeNull()
      // before its body is read
      const unread = await fetch(`${server.url}/api/chat/flooded/conversations`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{',
      })
      expect(unread.status).toBe(503)
      // another project's visitors, and the operator's probe
      const visits = await Promise.all(Array.from({ length: 5 }, (_, n) => start('quiet', n + 1)))
      expect(visits.map(({ status }) => status)).toEqual(Array(5).fill(200))
      expect((await (await server.guest()).send('GET', '/api/csrf-cookie')).status).toBeLessThan(300)
      return flood
    })
    await blocking.destroy()

    const settledAnswers = await Promise.all(answers)
    const acknowledged = settledAnswers.filter(({ status }) => status === 200).length
    expect(acknowledged).toBe(turn.ofOne + turn.waitingOfOne)
    const { count } = await db
      .selectFrom('conversations')
      .select(({ fn }) => fn.countAll<string>().as('count'))
      .where('chatbot_id', '=', chatbotId)
      .executeTakeFirstOrThrow()
    expect(Number(count)).toBe(acknowledged + 1)
  })

  test('who floods an address that there is not keeps nobody out who comes to a chatbot for the first time', async () => {
    const { db } = server.context
    await insertPublishedFlow(db, flow, 'fresh')
    const blocking = createDatabase(server.connection, { max: 1 })
    const { visit, flood } = await blocking.transaction().execute(async (work) => {
      await sql`lock table chatbots in access exclusive mode`.execute(work)
      let refused = 0
      const flood = Array.from({ length: 30 }, async (_, n) => {
        const { status } = await start('no-such-bot', n)
        if (status === 503) refused += 1
      })
      await expect.poll(() => refused).toBe(30 - turn.ofOne - turn.waitingOfOne)
      const visit = start('fresh', 0)
      // it was accepted, and waits like the others
      await expect.poll(() => waitingFor(work), { timeout: 30_000 }).toBe(turn.ofOne + 1)
      return { visit, flood }
    })
    await blocking.destroy()
    expect((await visit).status).toBe(200)
    await Promise.all(flood)
  })

  test('addresses that there are not wait for each other, not for anybody else', async () => {
    const owner = await server.register()
    await makeChatbot(owner)
    const answers = await Promise.all(Array.from({ length: 100 }, (_, n) => start(`nobody-${n}`, n)))
    expect(answers.every(({ status }) => status === 404 || status === 503)).toBe(true)
    expect((await start('quiet', 100)).status).toBe(200)
  })
})

describe('while a project has no place left', () => {
  const one: GateLimits = { ...limits, ofOne: 1, waitingOfOne: 1 }
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer({ admission: { turn: one, draft: one } })
  })
  afterAll(() => server?.close())

  test.each<[what: string, load: Load, method: 'GET' | 'POST', to: (flow: string, chatbot: string) => string]>([
    ['starting a test', 'draft', 'POST', (flow) => `${flow}/playground`],
    ['a tester’s message', 'turn', 'POST', (flow) => `${flow}/playground/c1/messages`],
    ['continuing a test', 'turn', 'POST', (flow) => `${flow}/playground/c1/continue`],
    ['running kept tests', 'draft', 'POST', (_, chatbot) => `${chatbot}/tests/run`],
    ['keeping a test', 'draft', 'POST', (_, chatbot) => `${chatbot}/tests`],
    ['accepting a test', 'draft', 'POST', (_, chatbot) => `${chatbot}/tests/t1/accept`],
    ['publishing', 'draft', 'POST', (flow) => `${flow}/publish`],
    ['importing', 'draft', 'POST', (flow) => `${flow}/import`],
    ['exporting', 'draft', 'GET', (flow) => `${flow}/export`],
  ])('%s is refused, with when to come back, and others have theirs', async (_, load, method, to) => {
    const [owner, other] = [await server.register(), await server.register()]
    const call = async (who: typeof owner) => {
      const { cgid, fid } = await makeChatbot(who)
      const chatbot = `/api/projects/${who.pgid}/chatbots/${cgid}`
      const path = to(`${chatbot}/flows/${fid}`, chatbot)
      return () => who.send(method, path, method === 'GET' ? undefined : {})
    }
    const [own, others] = [await call(owner), await call(other)]
    let end = () => {}
    const over = new Promise<void>((resolve) => {
      end = resolve
    })
    const admission = server.context.admission
    const held = [1, 2].map(() => admission.run(load, { pgid: owner.pgid }, () => over))
    expect(await own()).toMatchObject({ status: 503, body: { code: 'overloaded' } })
    expect((await others()).status).not.toBe(503)
    end()
    await Promise.all(held)
    expect((await own()).status).not.toBe(503)
  })

  test('the log says every ten seconds how many calls were refused', async () => {
    let now = 20_000
    const lines: { refused: number }[] = []
    const log = pino({ level: 'warn' }, { write: (line) => void lines.push(JSON.parse(line)) })
    const none: GateLimits = { ...limits, waitingOfOne: 0 }
    const admission = createAdmission(
      { ...server.context, log, clock: () => new Date(now) },
      { turn: none, draft: none },
    )
    const call = () => expect(admission.shed('turn', { pgid: 'p' })).rejects.toMatchObject({ code: 'overloaded' })
    await call()
    now += 9_999
    await call()
    await call()
    now += 1
    await call()
    expect(lines.map(({ refused }) => refused)).toEqual([1, 3])
  })
})
