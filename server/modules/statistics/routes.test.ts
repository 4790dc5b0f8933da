import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Flow } from '../../../engine/flow/schema'
import { endBackgroundWork } from '../../../tests/support/backgroundWork'
import { createTestClock, type TestClock } from '../../../tests/support/clock'
import { addMember, makeChatbot } from '../../../tests/support/collab'
import { type Registered, startTestServer, type TestServer } from '../../../tests/support/server'
import { timedFlow, timedRegistry } from '../../../tests/support/timedFlow'
import { Role } from '../../access/roles'
import { sendMessage, startConversation } from '../../contracts/chat'
import { readChatbot } from '../../contracts/chatbots'
import { importFlow, publishFlow } from '../../contracts/flows'
import { sendPlaygroundMessage, startPlayground } from '../../contracts/playground'
import { readFlowStatistics, type StatisticsFilter } from '../../contracts/statistics'
import { countVisits } from './countVisits'
import { readStatistics } from './readStatistics'

const HOUR = 3_600
const DAY = 24 * HOUR

/** Start, then two questions in separate groups; the first times out after a day. */
function twoQuestions(): Flow {
  const once = timedFlow({ noReplyAfter: 2 * DAY })
  const [start, ask] = once.groups
  if (!start || !ask) throw new Error('The flow has changed')
  const second = {
    ...ask,
    id: 'g2',
    title: 'Ask again',
    blocks: ask.blocks.map((block) => ({ ...block, id: 'timed2' })),
  }
  const edges = [
    { from: { blockId: 'start', portId: 'next' }, to: { groupId: 'g1' } },
    { from: { blockId: 'timed', portId: 'next' }, to: { groupId: 'g2' } },
  ]
  return { ...once, groups: [start, ask, second], edges }
}

/** Asks the same question again and again. */
function again(): Flow {
  const flow = twoQuestions()
  const block = {
    id: 'ask',
    kind: 'text-input',
    version: 2,
    data: { ...timedRegistry.find('text-input')?.defaults(() => 'item') },
  }
  return {
    ...flow,
    groups: flow.groups.slice(0, 2).map((group) => (group.id === 'g1' ? { ...group, blocks: [block] } : group)),
    edges: [
      { from: { blockId: 'start', portId: 'next' }, to: { groupId: 'g1' } },
      { from: { blockId: 'ask', portId: 'next' }, to: { groupId: 'g1' } },
    ],
  }
}

let server: TestServer
let ada: Registered
let clock: TestClock
beforeAll(async () => {
  const still = createTestClock('2026-11-10T09:00:00Z')
  clock = still
  server = await startTestServer({ clock: still, registry: timedRegistry, config: { chatStartsPerMinute: 0 } })
  // the first sweep counts too: later it would count what a test is about to delete
  await endBackgroundWork(server)
  ada = await server.register()
})
afterAll(() => server.close())

let bot: { params: { pgid: string; cgid: string; fid: string }; slug: string }
const publishNow = () => ada.call(publishFlow, { params: bot.params })
beforeEach(async () => {
  const params = await makeChatbot(ada)
  const { chatbot } = await ada.call(readChatbot, { params: { pgid: params.pgid, cgid: params.cgid } })
  bot = { params, slug: chatbot.slug }
  await ada.call(importFlow, { params, body: { source: JSON.stringify(twoQuestions()), mode: 'replace' } })
  await publishNow()
})

let count = 0
const clientId = () => `message-${++count}`

/** A visitor who starts; returns a function that answers. */
async function visit() {
  const guest = await server.guest()
  const { token, conversation } = await guest.call(startConversation, {
    params: { slug: bot.slug },
    body: { client_id: clientId() },
  })
  const path = sendMessage.path.replace(':slug', bot.slug).replace(':conversation', conversation.id)
  return async (text: string) => {
    const body = { client_id: clientId(), reply: { type: 'text', text } }
    const { status } = await guest.send('POST', path, body, { authorization: `Bearer ${token}` })
    expect(status).toBe(200)
  }
}
const read = (query: Record<string, string> = {}) =>
  ada.call(readFlowStatistics, { params: bot.params, query: query as StatisticsFilter })

describe('the statistics of a flow', () => {
  it('are empty before the first visitor', async () => {
    expect(await read()).toEqual({
      totals: { conversations: 0, completed: 0, left: 0, median_replies: null },
      left_elsewhere: 0,
      groups: [],
      edges: [],
      blocks: [],
      versions: [],
    })
  })

  it('say how many came how far, and where those who left did', async () => {
    await visit()
    await (await visit())('a')
    const third = await visit()
    await third('a')
    await third('b')
    clock.pass(HOUR)
    expect(await read()).toEqual({
      totals: { conversations: 3, completed: 1, left: 2, median_replies: 1 },
      left_elsewhere: 0,
      groups: [
        { id: 'g0', conversations: 3, visits: 3, left: 0 },
        { id: 'g1', conversations: 3, visits: 3, left: 1 },
        { id: 'g2', conversations: 2, visits: 2, left: 1 },
      ],
      edges: [
        { id: 'start/next', conversations: 3, visits: 3 },
        { id: 'timed/next', conversations: 2, visits: 2 },
      ],
      blocks: expect.arrayContaining([
        { id: 'timed', left: 1 },
        { id: 'timed2', left: 1 },
      ]),
      versions: [1],
    })
  })

  it('a visitor has left after half an hour without an answer, and is back with the next one', async () => {
    const answer = await visit()
    clock.pass(29 * 60)
    expect((await read()).totals.left).toBe(0)
    clock.pass(60)
    expect((await read()).totals.left).toBe(1)
    await answer('here I am')
    expect(await read()).toMatchObject({ totals: { conversations: 1, left: 0 }, blocks: [] })
  })

  it('a conversation that ends because nobody answered was left where it asked', async () => {
    const answer = await visit()
    await answer('a')
    clock.pass(2 * DAY)
    await server.context.jobs.runDue()
    const { totals, groups } = await read()
    expect(totals).toEqual({ conversations: 1, completed: 0, left: 1, median_replies: 1 })
    expect(groups.find(({ id }) => id === 'g2')?.left).toBe(1)
  })

  it('count a conversation once in each place, and each of its visits', async () => {
    const source = JSON.stringify(again())
    await ada.call(importFlow, { params: bot.params, body: { source, mode: 'replace' } })
    await publishNow()
    const answer = await visit()
    await answer('a')
    // counted in between, it is still the same conversation
    expect((await read()).groups).toContainEqual({ id: 'g1', conversations: 1, visits: 2, left: 0 })
    await answer('b')
    expect((await read()).groups).toContainEqual({ id: 'g1', conversations: 1, visits: 3, left: 0 })
    expect((await read()).edges).toContainEqual({ id: 'ask/next', conversations: 1, visits: 2 })
  })

  it('leave tests out', async () => {
    const { conversation } = await ada.call(startPlayground, { params: bot.params, body: { client_id: clientId() } })
    await ada.call(sendPlaygroundMessage, {
      params: { ...bot.params, conversation: conversation.id },
      body: { client_id: clientId(), reply: { type: 'text', text: 'a' } },
    })
    expect((await read()).totals.conversations).toBe(0)
  })

  it('are of the days, the version and the place that one asks for', async () => {
    await visit()
    const first = clock().toISOString().slice(0, 10)
    clock.pass(DAY)
    const second = clock().toISOString().slice(0, 10)
    await publishNow()
    await (await visit())('a')
    await visit()
    const found = async (query: Record<string, string>) => {
      const { totals, groups } = await read(query)
      expect(groups.find(({ id }) => id === 'g0')?.conversations ?? 0).toBe(totals.conversations)
      return totals.conversations
    }
    expect(await found({})).toBe(3)
    expect(await found({ to: first })).toBe(1)
    expect(await found({ from: second })).toBe(2)
    expect(await found({ from: first, to: second })).toBe(3)
    expect(await found({ version: '1' })).toBe(1)
    expect(await found({ version: '2', from: second })).toBe(2)
    expect(await found({ version: '3' })).toBe(0)
    expect(await found({ environment: 'sharing' })).toBe(3)
    expect(await found({ environment: 'production' })).toBe(0)
    expect((await read({ version: '1' })).versions).toEqual([2, 1])
  })

  it('stay when conversations are deleted, as far as they are counts', async () => {
    await visit()
    await read()
    await (await visit())('a')
    await server.context.db.deleteFrom('conversations').execute()
    expect(await read()).toMatchObject({
      totals: { conversations: 0 },
      groups: expect.arrayContaining([{ id: 'g1', conversations: 1, visits: 1, left: 0 }]),
    })
    await countVisits(server.context)
    expect(await server.context.db.selectFrom('turn_paths').select('turn').execute()).toEqual([])
  })

  it('count everything once, however many ask at once', async () => {
    for (let n = 0; n < 20; n++) await visit()
    await Promise.all(Array.from({ length: 8 }, () => read()))
    expect(await read()).toMatchObject({
      totals: { conversations: 20 },
      edges: [{ id: 'start/next', conversations: 20 }],
    })
  })
})

describe('of very many conversations', () => {
  it('read counts, not the conversations, which they agree with after any change', async () => {
    await visit()
    await read()
    const { db } = server.context
    const { rows } = await sql<{ n: string }>`
      with one as (select * from conversations order by id desc limit 1)
      , many as (
        insert into conversations (gid, project_id, chatbot_id, environment, status, run_id, start_client_id, created_at, updated_at)
        select 'many' || lpad(n::text, 12, '0'), project_id, chatbot_id, environment, 'closed', nextval('runs_id_seq'), 'many-' || n,
          created_at, updated_at from one, generate_series(1, 20000) n
        returning *)
      , ran as (
        insert into runs (id, project_id, conversation_id, number, flow_version_id, state, session, turns, created_at)
        select many.run_id, many.project_id, many.id, 1, runs.flow_version_id, 'ended', runs.session, 1, many.created_at
        from many, one join runs on runs.id = one.run_id)
      insert into run_visits
      select many.run_id, v.project_id, v.chatbot_id, v.flow_version_id, v.environment, v.day,
        (array['waiting', 'completed', 'left'])[1 + many.run_id % 3], v.flow, v.group_id, v.block_id,
        v.last_at - interval '1 day', many.run_id % 5, '{}', v.channel
      from many, run_visits v join one on one.run_id = v.run_id returning 1 as n`.execute(db)
    expect(rows).toHaveLength(20_000)
    await sql`update run_visits set status = 'completed' where replies = 4 and status = 'left'`.execute(db)
    await sql`delete from conversations where run_id in (
      select run_id from run_visits where replies = 3 and status = 'waiting')`.execute(db)
    await sql`vacuum analyze run_visits, visit_counts`.execute(db)
    const truth = await sql<{ all: number; completed: number; left: number; median: number }>`
      select count(*)::int as all, count(*) filter (where status = 'completed')::int as completed,
        count(*) filter (where status = 'left' or (status = 'waiting' and last_at <= ${new Date(clock().getTime() - 1_800_000)}))::int as left,
        percentile_disc(0.5) within group (order by replies) as median
      from run_visits where chatbot_id = (select id from chatbots where gid = ${bot.params.cgid})`.execute(db)
    const [found] = truth.rows
    expect((await read()).totals).toEqual({
      conversations: found?.all,
      completed: found?.completed,
      left: found?.left,
      median_replies: found?.median,
    })
    const { id, project_id } = await db
      .selectFrom('chatbots')
      .select(['id', 'project_id'])
      .where('gid', '=', bot.params.cgid)
      .executeTakeFirstOrThrow()
    const touched = await db.transaction().execute(async (trx) => {
      const fetched = async () => {
        const { rows } = await sql<{
          count: number
        }>`select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::int as count
          from pg_stat_xact_user_tables where relname in ('run_visits', 'visit_counts')`.execute(trx)
        return rows[0]?.count ?? 0
      }
      const before = await fetched()
      await readStatistics({ db: trx, clock }, { projectId: project_id, chatbotId: id, flow: '' }, {})
      return (await fetched()) - before
    })
    expect(touched).toBeGreaterThan(0)
    expect(touched).toBeLessThan(100)
  })
})

describe('who may read them', () => {
  it('are for who has the right of analytics, and strictly asked', async () => {
    const bob = await server.register()
    await addMember(server, bot.params.pgid, bob, [Role.EDITOR, Role.VIEWER])
    const { pgid, cgid, fid } = bot.params
    const path = `/api/projects/${pgid}/chatbots/${cgid}/flows/${fid}/statistics`
    expect((await bob.send('GET', path)).status).toBe(403)
    await addMember(server, pgid, bob, [Role.ANALYST])
    expect((await bob.send('GET', path)).status).toBe(200)
    for (const query of ['from=today', 'to=2026-13-01', 'environment=editor', 'version=0', 'version=x', 'days=7']) {
      expect((await bob.send('GET', `${path}?${query}`)).status, query).toBe(422)
    }
    const { status, body } = await bob.send('GET', `${path}?from=2026-11-02&to=2026-11-01`)
    expect([status, JSON.stringify(body)]).toEqual([422, expect.stringContaining('2026-11-01')])
    const stranger = await server.register()
    expect((await stranger.send('GET', path)).status).toBe(404)
    const own = `/api/projects/${stranger.pgid}/chatbots/${cgid}/flows/${fid}/statistics`
    expect((await stranger.send('GET', own)).status).toBe(404)
  })
})
