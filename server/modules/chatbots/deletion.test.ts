import { sql } from 'kysely'
import pg from 'pg'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { closeCodes } from '../../../engine/document/syncProtocol'
import { bundleApp, makeDataFolder, startApp } from '../../../tests/support/appProcess'
import { callingFlow } from '../../../tests/support/callingFlow'
import { createTestClock } from '../../../tests/support/clock'
import { openPeer, synced } from '../../../tests/support/collab'
import { createTestDatabase } from '../../../tests/support/database'
import { insertPublishedFlow } from '../../../tests/support/publishedFlow'
import { type Registered, startTestServer, type TestServer } from '../../../tests/support/server'
import { systemOrigin } from '../../../tests/support/systemOrigin'
import { type Chatbot, createChatbot, deleteChatbot, listChatbots } from '../../contracts/chatbots'
import { publishFlow } from '../../contracts/flows'
import { createProject, deleteProject, listProjects } from '../../contracts/projects'
import { createDatabase } from '../../platform/database/database'
import { createJobs } from '../../platform/jobs/createJobs'
import { beginDeletion, deletions } from './deletion'

const clock = createTestClock()
let server: TestServer
let ada: Registered
let pgid: string
beforeAll(async () => {
  server = await startTestServer({ clock })
  ada = await server.register()
})
afterAll(() => server.close())

const holding = new Set<pg.Client>()
// a test that failed must not keep jobs waiting: events of all databases of the server wait for their transactions
afterEach(async () => {
  for (const client of holding) await client.end()
  holding.clear()
})

/** Lets nobody delete conversations meanwhile: the server begins its jobs by itself. @returns what ends that */
async function holdConversations(): Promise<() => Promise<void>> {
  const client = new pg.Client(server.connection)
  await client.connect()
  holding.add(client)
  await client.query('BEGIN')
  await client.query('LOCK TABLE conversations IN SHARE MODE')
  return async () => {
    holding.delete(client)
    await client.end()
  }
}

let people = 0
beforeEach(async () => {
  pgid = (await ada.call(createProject, { body: { name: `Project ${++people}` } })).project.gid
})

/** A published chatbot with one conversation of a visitor and many more like it. */
async function chatbotWith(conversations: number): Promise<{ chatbot: Chatbot; id: string; projectId: string }> {
  const { chatbot } = await ada.call(createChatbot, { params: { pgid }, body: { name: 'Busy' } })
  await ada.call(publishFlow, { params: { pgid, cgid: chatbot.gid, fid: chatbot.fid } })
  await talk(chatbot)
  const { rows } = await sql<{ id: string; project_id: string }>`
    with one as (select * from conversations where chatbot_id = (select id from chatbots where gid = ${chatbot.gid}))
    , many as (
      insert into conversations (gid, project_id, chatbot_id, environment, status, run_id, start_client_id, created_at, updated_at)
      select lpad(to_hex(n), 16, '0'), project_id, chatbot_id, environment, 'closed', nextval('runs_id_seq'), 'many-' || n,
        created_at, updated_at from one, generate_series(${people * 1_000_000}::int + 1, ${people * 1_000_000 + conversations - 1}::int) n
      returning *)
    , ran as (
      insert into runs (id, project_id, conversation_id, number, flow_version_id, state, session, turns, created_at)
      select many.run_id, many.project_id, many.id, 1, runs.flow_version_id, 'ended', runs.session, 1, many.created_at
      from many, one join runs on runs.id = one.run_id)
    , said as (
      insert into messages (conversation_id, project_id, seq, author, content, created_at)
      select id, project_id, 1, 1, '{"kind":"text","text":[]}', now() from many)
    select chatbot_id as id, project_id from one`.execute(server.context.db)
  return { chatbot, id: rows[0]?.id ?? '', projectId: rows[0]?.project_id ?? '' }
}

const talk = async (chatbot: Chatbot) =>
  (await server.guest()).send('POST', `/api/chat/${chatbot.slug}/conversations`, { client_id: 'visitor-1' })
const list = () => ada.call(listChatbots, { params: { pgid } })
const rowsOf = async (table: string, column: string, id: string) => {
  const { rows } = await sql<{ count: string }>`
    select count(*) from ${sql.table(table)} where ${sql.ref(column)} = ${id}`.execute(server.context.db)
  return Number(rows[0]?.count)
}
const remove = (chatbot: Chatbot) =>
  ada.call(deleteChatbot, { params: { pgid, cgid: chatbot.gid }, body: { name: chatbot.name } })

test('a chatbot is out of reach at once, and what it holds goes in the background', async () => {
  const { chatbot, id } = await chatbotWith(700)
  const release = await holdConversations()
  await remove(chatbot)
  expect(await list()).toEqual({
    chatbots: [],
    deleting: [{ gid: expect.not.stringMatching(chatbot.gid), name: 'Busy', percent: 0 }],
  })
  const path = `/api/projects/${pgid}/chatbots/${chatbot.gid}`
  expect((await ada.send('GET', path)).status).toBe(404)
  expect((await ada.send('GET', `${path}/flows/${chatbot.fid}`)).status).toBe(404)
  expect((await talk(chatbot)).status).toBe(404)
  expect((await ada.call(listProjects)).projects.find(({ gid }) => gid === pgid)?.chatbots).toBe(0)
  await release()
  await server.context.jobs.runDue()
  expect(await list()).toEqual({ chatbots: [], deleting: [] })
  for (const table of ['conversations', 'flows', 'place_visits']) expect(await rowsOf(table, 'chatbot_id', id)).toBe(0)
  expect(await rowsOf('chatbots', 'id', id)).toBe(0)
})

test('no chat page, call, stream or socket reaches a chatbot whose rows are still going', async () => {
  const { chatbot } = await chatbotWith(10)
  const { chatbot: other } = await ada.call(createChatbot, { params: { pgid }, body: { name: 'Other' } })
  const guest = await server.guest()
  const { body } = await guest.send('POST', `/api/chat/${chatbot.slug}/conversations`, { client_id: 'visitor-2' })
  const { token, conversation } = body.data as { token: string; conversation: { id: string } }
  const visitor = { authorization: `Bearer ${token}` }
  const base = `/api/chat/${chatbot.slug}`
  const said = { client_id: 'visitor-3', reply: { type: 'text', text: 'hello' } }
  const calls = () => [
    guest.send('GET', base),
    guest.send('GET', `${base}/conversations/${conversation.id}`, undefined, visitor),
    guest.send('POST', `${base}/conversations/${conversation.id}/messages`, said, visitor),
    guest.send('GET', `${base}/conversations/${conversation.id}/events?token=wrong${token}`),
  ]
  expect((await Promise.all(calls())).map(({ status }) => status)).not.toEqual([404, 404, 404, 404])
  const open = openPeer(server, ada, chatbot.fid)
  await synced(open)

  const release = await holdConversations()
  await remove(chatbot)
  expect((await open.closed).code).toBe(closeCodes.gone)
  const again = openPeer(server, ada, chatbot.fid)
  expect((await again.closed).code).toBe(closeCodes.gone)
  for (const answer of await Promise.all(calls()))
    expect(answer).toMatchObject({ status: 404, body: { code: 'not_found' } })
  const events = `${base}/conversations/${conversation.id}/events?token=${token}`
  expect((await guest.send('GET', events)).status).toBe(404)

  // what the list calls it by leads nowhere, too
  const gid = (await list()).deleting[0]?.gid
  const project = `/api/projects/${pgid}/chatbots`
  for (const path of ['', '/sources', '/actions', '/instructions'])
    expect((await ada.send('GET', `${project}/${gid}${path}`)).status, path).toBe(404)
  expect((await ada.send('POST', `${project}/${other.gid}/knowledge-link`, { chatbot: gid })).status).toBe(422)
  // and its address is free
  expect((await ada.send('PATCH', `${project}/${other.gid}`, { slug: chatbot.slug })).status).toBe(200)
  for (const peer of [open, again]) peer.leave()
  await release()
  await server.context.jobs.runDue()
})

test('a deletion that is cut off goes on where it was, and says how far it is', async () => {
  const { chatbot, id } = await chatbotWith(1_000)
  // the third batch fails, as when the process or the database dies
  const { db } = server.context
  await sql`create table deletions (n int)`.execute(db)
  await sql`create function cut() returns trigger language plpgsql as $$ begin
    insert into deletions values (1);
    if (select count(*) from deletions) > 2 then raise 'the power failed'; end if;
    return null; end $$`.execute(db)
  await sql`create trigger cut after delete on conversations for each statement execute function cut()`.execute(db)
  await remove(chatbot)
  await server.context.jobs.runDue()
  const { deleting } = await list()
  expect(deleting).toEqual([{ gid: expect.any(String), name: 'Busy', percent: 50 }])
  expect(await rowsOf('conversations', 'chatbot_id', id)).toBe(500)
  await sql`drop trigger cut on conversations`.execute(db)
  clock.pass(60)
  await server.context.jobs.runDue()
  expect(await list()).toEqual({ chatbots: [], deleting: [] })
  expect(await rowsOf('chatbots', 'id', id)).toBe(0)
})

test('no statement deletes more than a batch of conversations', async () => {
  const { chatbot } = await chatbotWith(1_200)
  const { db } = server.context
  await sql`create table batches (size int)`.execute(db)
  await sql`create function note() returns trigger language plpgsql as
    $$ begin insert into batches select count(*) from gone; return null; end $$`.execute(db)
  await sql`create trigger note after delete on conversations referencing old table as gone
    for each statement execute function note()`.execute(db)
  await remove(chatbot)
  await server.context.jobs.runDue()
  const { rows } = await sql<{ most: number; sum: number }>`
    select max(size)::int as most, sum(size)::int as sum from batches`.execute(db)
  expect(rows).toEqual([{ most: 250, sum: 1_200 }])
  await sql`drop trigger note on conversations`.execute(db)
})

test('rows are found by indexes, also where a connection made its plans while the tables were empty', async () => {
  const ROWS = 2_000
  const database = await createTestDatabase()
  const db = createDatabase(database.connection, { max: 1 })
  const context = { ...server.context, db, jobs: createJobs({ ...server.context, db }) }
  for (const job of deletions(context, { removeArea: async () => {} })) context.jobs.handle(job)
  try {
    const { projectId, chatbotId, versionId } = await insertPublishedFlow(db, callingFlow({ calls: false }))
    const insert = (from: number, to: number) =>
      sql`
      with made as (
        insert into conversations (gid, project_id, chatbot_id, environment, status, run_id, start_client_id, created_at, updated_at)
        select lpad(to_hex(n), 16, '0'), ${projectId}, ${chatbotId}, 'sharing', 'closed', nextval('runs_id_seq'), 'one-' || n, now(), now()
        from generate_series(${from}::int, ${to}::int) n
        returning id, project_id, run_id)
      , ran as (
        insert into runs (id, project_id, conversation_id, number, flow_version_id, state, session, turns, created_at)
        select run_id, project_id, id, 1, ${versionId}, 'ended', '{}', 1, now() from made)
      insert into messages (conversation_id, project_id, seq, author, content, created_at)
      select id, project_id, 1, 1, '{"kind":"text","text":[]}', now() from made`.execute(db)
    await sql`vacuum analyze`.execute(db)
    // as often as it takes for a plan to be kept
    for (let time = 1; time <= 10; time++) {
      await insert(time, time)
      await sql`delete from conversations`.execute(db)
    }
    await insert(11, 10 + ROWS)
    const read = async () => {
      await sql`select pg_stat_force_next_flush()`.execute(db)
      const { rows } = await sql<{ n: string }>`
        select sum(seq_tup_read) as n from pg_stat_user_tables where relname in ('messages', 'runs')`.execute(db)
      return Number(rows[0]?.n)
    }
    const before = await read()
    await db
      .transaction()
      .execute((trx) => beginDeletion(context, trx, projectId, [chatbotId], systemOrigin(projectId)))
    await context.jobs.runDue()
    expect((await sql`select from conversations`.execute(db)).rows).toEqual([])
    expect((await read()) - before).toBeLessThan(ROWS * 10)
  } finally {
    await db.destroy()
    await database.close()
  }
})

test('a project is out of reach at once, and goes with all that it holds', async () => {
  const { chatbot, projectId } = await chatbotWith(600)
  const { name } = (await ada.call(listProjects)).projects.find(({ gid }) => gid === pgid) ?? { name: '' }
  await ada.call(deleteProject, { params: { pgid }, body: { name } })
  expect((await ada.call(listProjects)).projects.map(({ gid }) => gid)).not.toContain(pgid)
  expect((await ada.send('GET', `/api/projects/${pgid}/chatbots`)).status).toBe(404)
  expect((await talk(chatbot)).status).toBe(404)
  expect(await rowsOf('events', 'project_id', projectId)).toBeGreaterThan(0)
  await server.context.jobs.runDue()
  expect(await rowsOf('conversations', 'project_id', projectId)).toBe(0)
  expect(await rowsOf('projects', 'id', projectId)).toBe(0)
  expect(await rowsOf('events', 'project_id', projectId)).toBe(0)
})

test('an event that is written while its project is deleted goes with it', async () => {
  const { projectId } = await chatbotWith(1)
  const { name } = (await ada.call(listProjects)).projects.find(({ gid }) => gid === pgid) ?? { name: '' }
  await sql`create function late_event() returns trigger language plpgsql as $$ begin
    insert into events (project_id, type, version, actor, correlation, payload, at)
      values (old.id, 'late', 0, 'system', 'late', '{}', now());
    return old; end $$`.execute(server.context.db)
  await sql`create trigger late before delete on projects for each row execute function late_event()`.execute(
    server.context.db,
  )
  try {
    await ada.call(deleteProject, { params: { pgid }, body: { name } })
    await server.context.jobs.runDue()
    expect(await rowsOf('projects', 'id', projectId)).toBe(0)
    expect(await rowsOf('events', 'project_id', projectId)).toBe(0)
  } finally {
    await sql`drop trigger late on projects`.execute(server.context.db)
  }
})

test("a project's job and those of its chatbots take turns, batch by batch", async () => {
  const { projectId } = await chatbotWith(1_200)
  const { db } = server.context
  const { name } = (await ada.call(listProjects)).projects.find(({ gid }) => gid === pgid) ?? { name: '' }
  // the first batch waits until the other job has come; deletions of other chatbots pass
  await sql`create table turns (size int)`.execute(db)
  await sql`create function take_turn() returns trigger language plpgsql as $$ begin
    if exists (select from gone where project_id = ${sql.lit(projectId)}) then
      if (select count(*) from turns) = 0 then perform pg_advisory_xact_lock(2); end if;
      insert into turns select count(*) from gone;
    end if;
    return null; end $$`.execute(db)
  await sql`create trigger take_turn after delete on conversations referencing old table as gone
    for each statement execute function take_turn()`.execute(db)
  const gate = new pg.Client(server.connection)
  await gate.connect()
  await gate.query('select pg_advisory_lock(2)')
  // others may wait too, for rows that are being deleted
  const waitsForTurn = async () => {
    const { rows } = await sql<{ n: number }>`select count(*)::int as n from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'
        and query like 'select from chatbots%for no key update'`.execute(db)
    return rows[0]?.n
  }
  try {
    await ada.call(deleteProject, { params: { pgid }, body: { name } })
    await expect.poll(waitsForTurn).toBe(1)
  } finally {
    await gate.end()
  }
  await server.context.jobs.runDue()
  const { rows } = await sql<{ most: number; sum: number }>`
    select max(size)::int as most, sum(size)::int as sum from turns`.execute(db)
  await sql`drop trigger take_turn on conversations`.execute(db)
  expect(rows).toEqual([{ most: 250, sum: 1_200 }])
  expect(await rowsOf('projects', 'id', projectId)).toBe(0)
})

test('a deletion whose process is killed goes on in the next one, where it was', async () => {
  const ROWS = 1_000
  const database = await createTestDatabase()
  const { db, connection } = database
  const bundle = await bundleApp()
  const data = await makeDataFolder()
  const { host, port, user, password, database: name } = connection
  const url = new URL(`postgresql://${user}@localhost/${name}`)
  url.searchParams.set('host', String(host))
  url.searchParams.set('port', String(port))
  if (typeof password === 'string') url.password = password
  const start = () => startApp(bundle.entry, { DATA_DIR: data.folder, DATABASE_URL: url.href })
  const gate = new pg.Client(connection)
  await gate.connect()
  try {
    const { projectId, chatbotId } = await insertPublishedFlow(db, callingFlow({ calls: false }))
    await sql`insert into conversations (gid, project_id, chatbot_id, environment, start_client_id, created_at, updated_at)
      select lpad(to_hex(n), 16, '0'), ${projectId}, ${chatbotId}, 'sharing', 'many-' || n, now(), now()
      from generate_series(1, ${ROWS}::int) n`.execute(db)
    // each batch passes a gate, which opens twice
    await sql`create table batches (size int)`.execute(db)
    await sql`create function pass() returns trigger language plpgsql as $$ begin
      if (select count(*) from batches) >= 2 then perform pg_advisory_xact_lock(1); end if;
      insert into batches select count(*) from gone;
      return null; end $$`.execute(db)
    await sql`create trigger pass after delete on conversations referencing old table as gone
      for each statement execute function pass()`.execute(db)
    await gate.query('select pg_advisory_lock(1)')

    const first = await start()
    const context = { ...server.context, db, log: pino({ level: 'silent' }), clock: () => new Date() }
    await db
      .transaction()
      .execute((trx) => beginDeletion(context, trx, projectId, [chatbotId], systemOrigin(projectId)))
    const waiting = () =>
      sql<{ n: number }>`select count(*)::int as n from pg_locks where locktype = 'advisory' and not granted
        and database = (select oid from pg_database where datname = current_database()) and objid = 1`.execute(db)
    await expect.poll(async () => (await waiting()).rows[0]?.n).toBe(1)
    await first.kill()
    await gate.query(
      `select pg_terminate_backend(pid) from pg_locks where locktype = $1 and not granted and objid = 1
        and database = (select oid from pg_database where datname = current_database())`,
      ['advisory'],
    )
    await gate.query('select pg_advisory_unlock(1)')
    const left = () =>
      sql<{
        n: number
        gone: string | null
      }>`select count(*)::int as n, (select rows_deleted from chatbots where id = ${chatbotId}) as gone
        from conversations where chatbot_id = ${chatbotId}`.execute(db)
    expect((await left()).rows).toEqual([{ n: 500, gone: '500' }])

    // the dead process's lease ends
    await sql`update jobs set run_at = now() where kind = 'delete-chatbot'`.execute(db)
    const next = await start()
    await expect.poll(async () => (await left()).rows).toEqual([{ n: 0, gone: null }])
    await next.stop()
    const { rows } = await sql<{ size: number }>`select size from batches where size > 0`.execute(db)
    expect(rows.map(({ size }) => size)).toEqual([250, 250, 250, 250])
  } finally {
    await gate.end()
    await database.close()
    await data.remove()
    await bundle.remove()
  }
})
