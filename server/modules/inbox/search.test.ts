import { type RawBuilder, sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../tests/support/database'
import { insertPublishedFlow, type PublishedFlow } from '../../../tests/support/publishedFlow'
import { timedFlow } from '../../../tests/support/timedFlow'
import { newestStatement, searchMessages, searchStatement } from './search'
import { searchQuery } from './searchWords'

let database: TestDatabase
let own: PublishedFlow
let foreign: PublishedFlow
beforeAll(async () => {
  database = await createTestDatabase()
  const flow = timedFlow({ noReplyAfter: 60 })
  own = await insertPublishedFlow(database.db, flow)
  foreign = await insertPublishedFlow(database.db, flow)
  for (const { projectId, chatbotId } of [own, foreign]) await fill(projectId, chatbotId)
  await sql`analyze messages`.execute(database.db)
})
afterAll(() => database.close())

/** 500 conversations of 20 messages: one word is in all of them, one in a tenth of a per cent. */
async function fill(projectId: string, chatbotId: string): Promise<void> {
  await sql`insert into conversations (gid, project_id, chatbot_id, environment, start_client_id, created_at, updated_at)
    select substr(md5(${projectId}::text || n), 1, 16), ${projectId}, ${chatbotId}, 'production', 'start-' || n,
      now(), now() from generate_series(1, 500) n`.execute(database.db)
  await sql`insert into messages (conversation_id, project_id, seq, author, content, words, created_at)
    select c.id, ${projectId}, n, 2, '{"kind":"text","text":[]}',
      'hello word' || (c.id * 20 + n) || case when (c.id * 20 + n) % 1000 = 0 then ' zanzibar' else '' end,
      now() - (c.id * 20 + n) * interval '1 second'
    from conversations c, generate_series(1, 20) n where c.project_id = ${projectId}`.execute(database.db)
}

interface Plan {
  'Node Type': string
  'Index Name'?: string
  'Actual Rows'?: number
  Plans?: Plan[]
}
const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]

const searched = (words: string) =>
  [{ projectId: own.projectId, words }, searchQuery(own.projectId, words) ?? ''] as const
const statementBy = (...[search, query]: ReturnType<typeof searched>) => searchStatement(search, query)
/** What the index finds. */
async function findByIndex(words: string, asksAll = true) {
  const { rows } = await searchStatement(...searched(words), asksAll).execute(database.db)
  return rows.filter(({ conversation_id }) => conversation_id !== null).map(({ collected: _, ...row }) => row)
}
const find = async (words: string) => (await searchMessages(database.db, { projectId: own.projectId, words })).found

/** The plan's scans of the messages, as they were carried out. */
async function scansOf(
  search: string,
  statementOf: (...of: Parameters<typeof statementBy>) => RawBuilder<unknown> = statementBy,
) {
  const statement = statementOf(...searched(search))
  const { rows } = await sql<{ 'QUERY PLAN': [{ Plan: Plan }] }>`explain (analyze, format json) ${statement}`.execute(
    database.db,
  )
  const [explained] = rows[0]?.['QUERY PLAN'] ?? []
  return explained ? nodesOf(explained.Plan).filter((node) => node['Node Type'].includes('Scan')) : []
}

test('a rare word is found by the index of words, which reads no message of another project', async () => {
  const scans = await scansOf('zanzibar')
  expect(scans.map((node) => node['Index Name'] ?? node['Node Type'])).toContain('messages_words')
  expect(scans.map((node) => node['Node Type'])).not.toContain('Seq Scan')
  // ten of its 10,000
  expect(Math.max(...scans.map((node) => node['Actual Rows'] ?? 0))).toBeLessThanOrEqual(11)
})

test('a word that is everywhere is found in the newest messages, and no more of them are read', async () => {
  const scans = await scansOf('hello', (...of) => newestStatement(...of))
  expect(scans.map((node) => node['Node Type'])).not.toContain('Seq Scan')
  expect(scans.map((node) => node['Index Name'] ?? node['Node Type'])).toContain('messages_newest')
  expect(Math.max(...scans.map((node) => node['Actual Rows'] ?? 0))).toBeLessThanOrEqual(20_000)
})

test('one message of a conversation is found, the newest, of the own project alone', async () => {
  const found = await find('hello')
  expect(new Set(found.map(({ conversation_id }) => conversation_id)).size).toBe(found.length)
  const ids = await database.db
    .selectFrom('conversations')
    .select('id')
    .where('project_id', '=', own.projectId)
    .execute()
  const ours = new Set(ids.map(({ id }) => id))
  expect(found.every(({ conversation_id }) => ours.has(conversation_id))).toBe(true)
  const times = found.map(({ created_at }) => created_at.getTime())
  expect(times).toEqual(times.toSorted((a, b) => b - a))
  expect(await find('parley hello')).toEqual([])
})

test('what is typed is words, whatever stands in it', () => {
  expect(searchQuery('7', "it's \\ a:* & !'b")).toBe("parley7project & 'it s' & 'a:*' & '! b':*")
  expect(searchQuery('7', ' & | ! ')).toBeNull()
  expect(searchQuery('7', 'word '.repeat(40))?.split('&')).toHaveLength(11)
})

test.each([
  ['Chinese', '我们明天早上九点送货，请在家等候。', '早上九点', '九点早上'],
  ['Chinese, one character', '订单已取消', '消', '送'],
  ['Japanese', '明日の朝にお届けします。', 'お届け', 'け届お'],
  ['Thai', 'พรุ่งนี้เราจะส่งของให้คุณ', 'ส่งของ', 'ของส่ง'],
  ['mixed with Latin letters', '请问iPhone手机壳有货吗', 'iPhone手机', 'iPad手机'],
])('a part of a sentence without spaces is found: %s', async (_, sentence, part, other) => {
  const { projectId } = own
  await sql`update messages set words = ${sentence} where project_id = ${projectId} and seq = 7 and conversation_id =
    (select min(id) from conversations where project_id = ${projectId})`.execute(database.db)
  const found = await find(part)
  expect(found.map(({ words }) => words)).toEqual([sentence])
  expect(await find(other)).toEqual([])
})

test('of old messages too, by the index', async () => {
  const { projectId } = own
  await sql`update messages set words = '发票已经寄出' where project_id = ${projectId} and seq = 9 and conversation_id =
    (select max(id) from conversations where project_id = ${projectId})`.execute(database.db)
  expect(await findByIndex('经寄出')).toHaveLength(1)
  const scans = await scansOf('经寄出')
  expect(scans.map((node) => node['Index Name'] ?? node['Node Type'])).toContain('messages_words')
})

test('of many words all are looked for, the last one as a beginning', async () => {
  const { projectId } = own
  await sql`update messages set words = 'one two three four seventeen' where project_id = ${projectId} and seq = 11
    and conversation_id = (select max(id) from conversations where project_id = ${projectId})`.execute(database.db)
  expect(await findByIndex('one two three four seven')).toHaveLength(1)
  expect(await findByIndex('one two three four eleven')).toHaveLength(0)
})

test('without asking the index for the beginning the same messages are found', async () => {
  for (const search of ['zanzibar hel', 'zanzibar word1', 'zanzibar x', 'hello zanzibar w']) {
    const found = await findByIndex(search, false)
    expect(found, search).toEqual(await findByIndex(search))
    expect(found.length > 0, search).toBe(!search.endsWith('x'))
  }
})

test('a frequent beginning of words that few messages have together finds the newest of them', async () => {
  const found = await find('hello zanzibar wor')
  expect(found.length).toBeGreaterThan(0)
  expect(found.every(({ words }) => words?.includes('zanzibar'))).toBe(true)
})

test('the index finds no more messages than are compared, and says that there are more', async () => {
  const { rows } = await searchStatement(...searched('hello zanzi'), false).execute(database.db)
  expect(rows.map(({ collected }) => collected)).toContain(5_001)
})
