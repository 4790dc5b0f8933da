import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestClock } from '../../../tests/support/clock'
import { makeChatbot } from '../../../tests/support/collab'
import { inviteMember } from '../../../tests/support/people'
import { type Registered, startTestServer, type TestServer } from '../../../tests/support/server'
import { Role } from '../../access/roles'
import { publishFlow } from '../../contracts/flows'
import { deleteConversation, type Housekeeping, readStorage, saveHousekeeping } from '../../contracts/housekeeping'
import { cleanUp, forgetExpired } from './cleanUp'

const DAY = 86_400_000
const clock = createTestClock()
let server: TestServer
let ada: Registered
let place: { pgid: string; cgid: string; fid: string }
let ids: { project_id: string; chatbot_id: string }
beforeAll(async () => {
  server = await startTestServer({ clock })
  ada = await server.register()
  place = await makeChatbot(ada)
  const { id: chatbot_id, project_id } = await server.context.db
    .selectFrom('chatbots')
    .select(['id', 'project_id'])
    .where('gid', '=', place.cgid)
    .executeTakeFirstOrThrow()
  ids = { project_id, chatbot_id }
  await ada.call(publishFlow, { params: place })
})
afterAll(() => server.close())

const params = () => ({ pgid: place.pgid })
const save = (rules: Partial<Housekeeping>) =>
  ada.call(saveHousekeeping, {
    params: params(),
    body: { tests_after_days: null, steps_after_days: null, mails_after_days: null, versions_kept: null, ...rules },
  })
const sizes = async () =>
  new Map(
    (await ada.call(readStorage, { params: params() })).kept.map(({ kind, rows, bytes }) => [kind, { rows, bytes }]),
  )

/** A conversation with a step, that many days ago. */
async function talked(environment: 'production' | 'editor', daysAgo: number, status: 'closed' | 'bot' = 'closed') {
  const { db, ids: newGid } = server.context
  const at = new Date(clock().getTime() - daysAgo * DAY)
  const gid = newGid()
  const { id: conversation_id } = await db
    .insertInto('conversations')
    .values({
      ...{ ...ids, gid, environment, status, start_client_id: newGid(), created_at: at, updated_at: at },
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { id: flow_version_id } = await db.selectFrom('flow_versions').select('id').executeTakeFirstOrThrow()
  const { id: run_id } = await db
    .insertInto('runs')
    .values({
      ...{ project_id: ids.project_id, conversation_id, flow_version_id, number: 1 },
      ...{ session: '{}', state: 'ended' as const, turns: 1, created_at: at },
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const place = { run_id, project_id: ids.project_id, turn: 0, created_at: at }
  await db
    .insertInto('turn_records')
    .values({ ...place, trace: '[]', variables: '{}' } as never)
    .execute()
  await db
    .insertInto('effects')
    .values({ ...place, position: 0, type: 'now', status: 'done', result: '1' } as never)
    .execute()
  return gid
}
async function left() {
  const { db } = server.context
  const conversations = await db.selectFrom('conversations').select('gid').orderBy('id').execute()
  const steps = await db
    .selectFrom('turn_records')
    .innerJoin('runs', 'runs.id', 'turn_records.run_id')
    .innerJoin('conversations', 'conversations.id', 'runs.conversation_id')
    .select('conversations.gid')
    .orderBy('conversations.id')
    .execute()
  const effects = await db.selectFrom('effects').select('run_id').execute()
  expect(effects).toHaveLength(steps.length)
  return { conversations: conversations.map(({ gid }) => gid), steps: steps.map(({ gid }) => gid) }
}

test('nothing is deleted without a rule; with one, what is older than it, and no open conversation loses its steps', async () => {
  const oldTest = await talked('editor', 40)
  const newTest = await talked('editor', 20)
  const old = await talked('production', 40)
  const open = await talked('production', 40, 'bot')
  await cleanUp(server.context)
  expect((await left()).conversations).toEqual([oldTest, newTest, old, open])

  await save({ tests_after_days: 30, steps_after_days: 30 })
  await cleanUp(server.context)
  expect(await left()).toEqual({ conversations: [newTest, old, open], steps: [newTest, open] })
  const kept = await sizes()
  expect(kept.get('steps')?.bytes).toBeGreaterThan(0)
  expect([kept.get('conversations')?.rows, kept.get('tests')?.rows, kept.get('steps')?.rows]).toEqual([2, 1, 4])
})

test('the rules of a day are applied once, and at once when they are changed', async () => {
  const one = await talked('editor', 31)
  await cleanUp(server.context)
  expect((await left()).conversations).toContain(one)
  await save({ tests_after_days: 30 })
  await cleanUp(server.context)
  expect((await left()).conversations).not.toContain(one)
  const other = await talked('editor', 31)
  clock.pass(24 * 60 * 60)
  await cleanUp(server.context)
  expect((await left()).conversations).not.toContain(other)
})

test('mails go after a month at least, and those that are being sent stay', async () => {
  const { db, ids: newGid } = server.context
  const mail = (key: string, status: 'sent' | 'sending', daysAgo: number) => ({
    ...{ gid: newGid(), project_id: ids.project_id, conversation_id: null, key, status, purpose: 'flow' as const },
    ...{ reason: null, message_id: key, from_name: '', addresses: '{"to":[],"cc":[],"bcc":[],"reply_to":null}' },
    ...{ subject: key, html: '', body: '', created_at: new Date(clock().getTime() - daysAgo * DAY), sent_at: null },
  })
  await db
    .insertInto('mails')
    .values([mail('old', 'sent', 61), mail('new', 'sent', 59), mail('waiting', 'sending', 61)] as never)
    .execute()
  await expect(save({ mails_after_days: 29 })).rejects.toThrow('At least 30')
  await save({ mails_after_days: 60 })
  await cleanUp(server.context)
  const rows = await db
    .selectFrom('mails')
    .select('subject')
    .where('project_id', '=', ids.project_id)
    .orderBy('id')
    .execute()
  expect(rows.map(({ subject }) => subject)).toEqual(['new', 'waiting'])
})

test('versions behind the newest go, but for the published one, and those that runs or figures are of', async () => {
  const { db } = server.context
  const published = await db
    .selectFrom('flow_versions')
    .selectAll()
    .where('number', 'is not', null)
    .executeTakeFirstOrThrow()
  const { flow_id, project_id } = published
  const numbered = Array.from({ length: 15 }, (_, n) => ({
    ...{ flow_id, project_id, number: (published.number ?? 1) + n + 1, hash: `version ${n}`, created_by: null },
    ...{ flow: JSON.stringify(published.flow), flows: '{}', first_published_at: clock(), created_at: clock() },
  }))
  const rows = await db
    .insertInto('flow_versions')
    .values(numbered as never)
    .returning(['id', 'number'])
    .execute()
  const [live, run, figure] = rows.map(({ id }) => id) as [string, string, string]
  await sql`update flows set published_version_id = ${live} where id = ${flow_id}`.execute(db)
  await sql`update runs set flow_version_id = ${run} where id = (select min(id) from runs)`.execute(db)
  await sql`insert into place_months (chatbot_id, month, flow_version_id, flow, environment, channel, kind, place, project_id, conversations, visits)
    values (${ids.chatbot_id}, '2026-11-01', ${figure}, '', 'production', 'web', 'block', 'b', ${project_id}, 1, 1)`.execute(
    db,
  )
  const left = async () =>
    (await db.selectFrom('flow_versions').select('id').where('number', 'is not', null).execute()).map(({ id }) => id)
  await save({})
  await cleanUp(server.context)
  expect(await left()).toHaveLength(16)
  await expect(save({ versions_kept: 9 })).rejects.toThrow('At least 10')
  await save({ versions_kept: 10 })
  await cleanUp(server.context)
  const newest = rows.slice(-10).map(({ id }) => id)
  // conversations that began before go on with the one that they began with
  expect((await left()).toSorted()).toEqual([published.id, live, run, figure, ...newest].toSorted())
})

test('one conversation is deleted by who may, and the log says so', async () => {
  const gid = await talked('production', 0)
  const editor = await inviteMember(server, ada, Role.EDITOR)
  const path = deleteConversation.path.replace(':pgid', place.pgid).replace(':conversation', gid)
  expect((await editor.send('DELETE', path)).status).toBe(403)
  await ada.call(deleteConversation, { params: { ...params(), conversation: gid } })
  expect((await left()).conversations).not.toContain(gid)
  expect((await ada.send('DELETE', path)).status).toBe(404)
  const events = await server.context.db
    .selectFrom('events')
    .select('type')
    .where('type', '=', 'conversation.deleted')
    .execute()
  expect(events).toHaveLength(1)
})

test('sessions that have expired are forgotten, and no others', async () => {
  const { db } = server.context
  const count = async () => (await db.selectFrom('sessions').select('user_id').execute()).length
  const before = await count()
  const { id: user_id } = await db.selectFrom('users').select('id').executeTakeFirstOrThrow()
  const at = { created_at: new Date(0), expires_at: clock() }
  await db
    .insertInto('sessions')
    .values({ token_hash: Buffer.alloc(32, 7), user_id, ...at } as never)
    .execute()
  await forgetExpired(server.context)
  expect(await count()).toBe(before)
})
