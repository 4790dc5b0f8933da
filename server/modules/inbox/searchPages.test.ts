import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { emptyFlow } from '../../../engine/flow/schema'
import { fillInbox } from '../../../tests/bench/inbox/fill'
import { createTestDatabase, type TestDatabase } from '../../../tests/support/database'
import { insertPublishedFlow, type PublishedFlow } from '../../../tests/support/publishedFlow'
import { rowsRead } from '../../../tests/support/rowsRead'
import { CONVERSATIONS_A_PAGE } from '../../contracts/inbox'
import type { ProjectDb, RootDb } from '../../platform/database/database'
import { searchMessages } from './search'
import { searchQuery } from './searchWords'

const CONVERSATIONS = 2_600
/** Messages that a page looks at: the newest twice, the next ones, and what the index finds. */
const MOST_READ = 4_000 + 4_000 + 20_000 + 5_001

let database: TestDatabase
let flow: PublishedFlow
beforeAll(async () => {
  database = await createTestDatabase()
  flow = await insertPublishedFlow(database.db, emptyFlow())
  const { id: userId } = await database.db
    .insertInto('users')
    .values({
      ...{ gid: 'u'.repeat(16), first_name: 'Ada', last_name: 'Okafor', email: 'ada@example.com' },
      ...{ password_hash: 'x', created_at: new Date() },
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await fillInbox(database.db, { ...flow, userId, conversations: CONVERSATIONS })
})
afterAll(() => database.close())

/** What stands in the index for a search, without it: each conversation's newest message, the newest first. */
async function recount(words: string): Promise<string[]> {
  const { rows } = await sql<{ found: string }>`
    select conversation_id || ':' || seq as found from (
      select distinct on (conversation_id) conversation_id, seq, created_at from messages
      where project_id = ${flow.projectId} and to_tsvector('simple', 'parley' || project_id || 'project ' || words)
        @@ to_tsquery('simple', ${searchQuery(flow.projectId, words)})
      order by conversation_id, created_at desc, seq desc) as newest
    order by created_at desc, conversation_id desc`.execute(database.db)
  return rows.map(({ found }) => found)
}

async function page(words: string, before: string | null) {
  const search = { projectId: flow.projectId, words, ...(before !== null && { before }) }
  let answer: Awaited<ReturnType<typeof searchMessages>> | undefined
  const { rows, whole } = await rowsRead(database.db as unknown as ProjectDb, async (handle) => {
    answer = await searchMessages(handle as unknown as RootDb, search)
  })
  if (!answer) throw new Error('The search has not answered')
  return { ...answer, rows, whole }
}

async function walk(words: string) {
  const pages: Awaited<ReturnType<typeof page>>[] = []
  let next: string | null = null
  do {
    pages.push(await page(words, next))
    next = pages.at(-1)?.next ?? null
  } while (next !== null)
  return { pages, found: pages.flatMap(({ found }) => found.map((row) => `${row.conversation_id}:${row.seq}`)) }
}

const searches = [
  ['a word of every second message', 'w1a'],
  ['one in 80 messages', 'w100a'],
  ['one in 800', 'w1000a'],
  ['six words', 'w1a w2a w3a w5a w8a w13'],
  ['a frequent and a rare one', 'w1a w9000a'],
  ['two of old messages alone', 'old1a old2a'],
  ['nothing', 'zanzibar'],
] as const

test.each(searches)('pages lead through all conversations in which there is %s', async (_, words) => {
  const { pages, found } = await walk(words)
  expect(found).toEqual(await recount(words))
  expect(found.length > 0).toBe(words !== 'zanzibar')
  for (const { rows, whole, found: shown } of pages) {
    expect(whole).toEqual([])
    expect(rows).toBeLessThan(MOST_READ)
    expect(shown.length).toBeLessThanOrEqual(CONVERSATIONS_A_PAGE)
  }
})

test('where there are too many messages for the index, pages look at the next ones, and find the same', async () => {
  // as if there were a million: how many there are is asked of the statistics
  await sql`update pg_class set reltuples = 1000000 where oid = 'messages'::regclass`.execute(database.db)
  const six = 'w1a w2a w3a w5a w8a w13'
  const { pages, found } = await walk(six)
  await sql`analyze messages`.execute(database.db)
  expect(found).toEqual(await recount(six))
  const byIndex = await walk(six)
  expect(byIndex.found).toEqual(found)
  expect(pages.length).toBeGreaterThan(byIndex.pages.length)
  for (const { rows } of pages) expect(rows).toBeLessThan(MOST_READ)
})

test('what is written while pages are read neither comes twice nor hides what is older', async () => {
  const expected = await recount('w100a')
  const first = await page('w100a', null)
  const known = new Set(first.found.map((row) => row.conversation_id))
  const later = expected.map((row) => row.split(':')[0]).find((id) => id !== undefined && !known.has(id))
  await sql`insert into messages (conversation_id, project_id, seq, author, content, words, created_at)
    values (${later}, ${flow.projectId}, 9999, 2, '{"kind":"text","text":[]}', 'w100a again', now() + interval '1 hour')`.execute(
    database.db,
  )
  const ids: string[] = [...known]
  for (let next = first.next; next !== null; ) {
    const more = await page('w100a', next)
    ids.push(...more.found.map((row) => row.conversation_id))
    next = more.next
  }
  await sql`delete from messages where seq = 9999`.execute(database.db)
  expect(new Set(ids).size).toBe(ids.length)
  // the conversation with the new message is at the top of the next search
  expect(ids.length).toBe(expected.length - 1)
})

test('a place that is in no conversation any more leads on from its time', async () => {
  const { next } = await page('w1a', null)
  const [micros = ''] = next?.split('.') ?? []
  const { found } = await page('w1a', `${micros}.${'z'.repeat(16)}.1`)
  expect(found).toHaveLength(CONVERSATIONS_A_PAGE)
})
