import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { emptyFlow } from '../../../engine/flow/schema'
import { fillInbox } from '../../../tests/bench/inbox/fill'
import { createTestDatabase, type TestDatabase } from '../../../tests/support/database'
import { insertPublishedFlow, type PublishedFlow } from '../../../tests/support/publishedFlow'
import { rowsRead } from '../../../tests/support/rowsRead'
import { CONVERSATIONS_A_PAGE, inboxViews, MESSAGES_A_PAGE } from '../../contracts/inbox'
import type { ProjectDb } from '../../platform/database/database'
import { countViews } from './counts'
import { listConversations } from './list'
import { readThreadPage } from './thread'

const CONVERSATIONS = 4_000
/** Tables that PostgreSQL reads whole because they have few rows; the conversations and messages are more. */
const FEW = 50

let database: TestDatabase
let flow: PublishedFlow
let userId: string
let own: ProjectDb
beforeAll(async () => {
  database = await createTestDatabase()
  flow = await insertPublishedFlow(database.db, emptyFlow())
  own = database.db.forProject(flow.projectId)
  const user = await database.db
    .insertInto('users')
    .values({
      ...{ gid: 'u'.repeat(16), first_name: 'Ada', last_name: 'Okafor', email: 'ada@example.com' },
      ...{ password_hash: 'x', created_at: new Date() },
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  userId = user.id
  await fillInbox(database.db, { ...flow, userId, conversations: CONVERSATIONS })
})
afterAll(() => database.close())

/** Of each row shown: its conversation, its last message, and what stands beside it, such as labels. */
const A_ROW = 25

test.each(
  inboxViews.filter((view) => view !== 'mine' && view !== 'snoozed' && view !== 'waiting' && view !== 'unassigned'),
)('a page of the view "%s" reads the rows that it shows, by an index', async (view) => {
  const page = (handle: ProjectDb, after?: string) =>
    listConversations(handle, { projectId: flow.projectId, userId }, { view, after, filters: {} })
  const { rows, whole } = await rowsRead(own, page, FEW)
  expect(whole).toEqual([])
  expect(rows).toBeLessThan((CONVERSATIONS_A_PAGE + 1) * A_ROW)
})

test.each(['mine', 'snoozed', 'waiting', 'unassigned'] as const)(
  'a page of the view "%s" reads no table of conversations or messages whole',
  async (view) => {
    const { whole } = await rowsRead(
      own,
      (handle) =>
        listConversations(handle, { projectId: flow.projectId, userId }, { view, after: undefined, filters: {} }),
      FEW,
    )
    expect(whole).toEqual([])
  },
)

test('how many open conversations teams have is read from an index of these alone', async () => {
  const { rows: made } = await sql<{ id: string }>`
    insert into teams (gid, project_id, name, assignment, created_at)
    values (${'t'.repeat(16)}, ${flow.projectId}, 'Sales', 'manual', now()) returning id`.execute(database.db)
  // nearly all of a team's are closed
  await sql`update conversations set team_id = ${made[0]?.id} where project_id = ${flow.projectId} and (status = 'closed'
    or id in (select id from conversations where project_id = ${flow.projectId} and status = 'bot'
      and snoozed_until is null limit 20))`.execute(database.db)
  await sql`analyze conversations`.execute(database.db)
  const count = (handle: ProjectDb) =>
    countViews(handle, { projectId: flow.projectId, userId }, { now: new Date() }).then(({ teams }) => teams)
  expect(await count(own)).toEqual({ tttttttttttttttt: 20 })
  const counted = await rowsRead(own, count, FEW)
  await sql`delete from teams where project_id = ${flow.projectId}`.execute(database.db)
  const without = await rowsRead(own, count, FEW)
  expect(counted.rows - without.rows).toBeLessThan(100)
})

test('the hundredth page costs what the first costs', async () => {
  let next: string | null | undefined
  const page = async (handle: ProjectDb) => {
    const listed = await listConversations(
      handle,
      { projectId: flow.projectId, userId },
      { view: 'closed', after: next ?? undefined, filters: {} },
    )
    return listed.next
  }
  const first = await rowsRead(own, page, FEW)
  for (let turn = 0; turn < 50; turn++) next = await page(own)
  const later = await rowsRead(own, page, FEW)
  expect(later.whole).toEqual([])
  expect(later.rows).toBeLessThan(first.rows * 1.5)
})

test('a page of a conversation of 5,000 messages reads the messages that it shows', async () => {
  const { rows: longest } = await sql<{ id: string; project_id: string }>`
    select id, project_id from conversations where project_id = ${flow.projectId} and last_seq > 1000`.execute(
    database.db,
  )
  const [ref] = longest
  if (!ref) throw new Error('There is no long conversation')
  for (const before of [undefined, { seq: 2_500, conversation: null }]) {
    const { rows, whole } = await rowsRead(own, (handle) => readThreadPage(handle, ref, before), FEW)
    expect(whole).toEqual([])
    expect(rows).toBeLessThan(MESSAGES_A_PAGE * 3)
  }
})
