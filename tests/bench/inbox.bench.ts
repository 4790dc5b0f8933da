import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, bench } from 'vitest'
import { inboxViews } from '../../server/contracts/inbox'
import { countViews } from '../../server/modules/inbox/counts'
import { listConversations, listFound } from '../../server/modules/inbox/list'
import { searchMessages } from '../../server/modules/inbox/search'
import { readThreadPage } from '../../server/modules/inbox/thread'
import type { ProjectDb } from '../../server/platform/database/database'
import { insertPublishedFlow, type PublishedFlow } from '../support/publishedFlow'
import { rowsRead } from '../support/rowsRead'
import { startTestServer, type TestServer } from '../support/server'
import { timedFlow, timedRegistry } from '../support/timedFlow'
import { fillInbox } from './inbox/fill'
import { measureLive } from './inbox/live'

/**
 * The inbox of a project with 10^5 conversations of ten messages: how long its lists, counts, threads and searches take,
 * and how many rows they read; then how soon people see what visitors say while 500 of them talk and 50 people look on.
 * `PARLEY_BENCH_CONVERSATIONS=1000` for fewer.
 */
const CONVERSATIONS = Number(process.env.PARLEY_BENCH_CONVERSATIONS ?? 100_000)
const TIMES = 20
const MOST_PAGES = 60

let server: TestServer | undefined
afterAll(() => server?.close())

async function measured(name: string, work: () => Promise<unknown>, note = ''): Promise<void> {
  const took: number[] = []
  for (let time = 0; time < TIMES; time++) {
    const from = performance.now()
    await work()
    took.push(performance.now() - from)
  }
  report(name, took, note)
}

function report(name: string, took: readonly number[], note: string): void {
  const sorted = took.toSorted((a, b) => a - b)
  const at = (share: number) => `${(sorted[Math.floor((sorted.length - 1) * share)] ?? 0).toFixed(1)} ms`
  console.info(`${name.padEnd(44)} p50 ${at(0.5).padStart(9)}  p95 ${at(0.95).padStart(9)}  ${note}`)
}

async function measureRead(own: ProjectDb, name: string, work: (db: ProjectDb) => Promise<unknown>): Promise<void> {
  const { rows, whole } = await rowsRead(own, work)
  await measured(name, () => work(own), `${rows} rows read${whole.length > 0 ? `, whole: ${whole.join(', ')}` : ''}`)
}

async function measureReads(at: TestServer, { projectId }: PublishedFlow, userId: string): Promise<void> {
  const { db } = at.context
  const own = db.forProject(projectId)
  const inbox = { projectId, userId }
  const page = (view: (typeof inboxViews)[number], after?: string, handle = own) =>
    listConversations(handle, inbox, { view, after, filters: {} })
  const read = (name: string, work: (handle: ProjectDb) => Promise<unknown>) => measureRead(own, name, work)
  for (const view of inboxViews) await read(`list: ${view}`, (handle) => page(view, undefined, handle))
  let next: string | undefined
  for (let turn = 0; turn < 25; turn++) next = (await page('all', next)).next ?? undefined
  await read('list: all, after 1,000', (handle) => page('all', next, handle))
  await read('counts of all views', (handle) => countViews(handle, inbox, { now: new Date() }))

  const { rows } = await sql<{ id: string; project_id: string; gid: string }>`
    select id, project_id, gid from conversations where project_id = ${projectId} order by last_seq desc, id limit 1`.execute(
    db,
  )
  const [longest] = rows
  if (!longest) throw new Error('There is no conversation')
  await read('thread: the newest of 5,000 messages', (handle) => readThreadPage(handle, longest, undefined))
  await read('thread: before message 2,500', (handle) =>
    readThreadPage(handle, longest, { seq: 2_500, conversation: null }),
  )

  for (const [what, words] of searches) {
    const search = async (before?: string) => {
      const { found, next } = await searchMessages(db, { projectId, words, before })
      return { found: await listFound(own, inbox, found, {}), next }
    }
    const first = await search()
    await measured(`search: ${what}`, () => search(), `${first.found.length} found${first.next ? ', and more' : ''}`)
    const took: number[] = []
    for (let page = first, at = 0; page.next !== null && at < MOST_PAGES; at++) {
      const from = performance.now()
      page = await search(page.next)
      took.push(performance.now() - from)
    }
    if (took.length > 0) report('  its further pages', took, `${took.length} of them`)
  }
}

/** Words as `fillInbox` makes them: `w1a` is in most messages, `w20000a` in one of some 200,000. */
const searches = [
  ['a word of every second message', 'w1a'],
  ['one in 20', 'w10a'],
  ['one in 200', 'w100a'],
  ['one in 2,000', 'w1000a'],
  ['one in 20,000', 'w9000a'],
  ['nothing', 'zanzibar'],
  ['a beginning of all words', 'w'],
  ['a beginning of a tenth of them', 'w15'],
  ['two frequent words', 'w1a w2a'],
  ['a frequent and a rare one', 'w1a w9000a'],
  ['six words', 'w1a w2a w3a w5a w8a w13'],
  ['two of old messages alone', 'old1a old2a'],
] as const

async function run(): Promise<void> {
  server = await startTestServer({
    registry: timedRegistry,
    config: { chatStartsPerMinute: 0, chatMessagesPerMinute: 0 },
  })
  const owner = await server.register()
  const { db } = server.context
  const { id: projectId } = await db
    .selectFrom('projects')
    .select('id')
    .where('gid', '=', owner.pgid)
    .executeTakeFirstOrThrow()
  const { id: userId } = await db
    .selectFrom('users')
    .select('id')
    .where('gid', '=', owner.user.ui)
    .executeTakeFirstOrThrow()
  const slug = `bench-${randomBytes(4).toString('hex')}`
  const flow = await insertPublishedFlow(db, timedFlow({ noReplyAfter: 86_000 }), slug, {}, projectId)
  const from = performance.now()
  await fillInbox(db, { ...flow, userId, conversations: CONVERSATIONS })
  console.info(`${CONVERSATIONS} conversations written in ${((performance.now() - from) / 1_000).toFixed(0)} s`)
  await measureReads(server, flow, userId)
  await measureLive(server, { pgid: owner.pgid, projectId, slug })
}

bench('an inbox', run, { iterations: 1, warmupIterations: 0, time: 0, warmupTime: 0 })
