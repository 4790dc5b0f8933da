import { randomBytes } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import pg from 'pg'
import pino from 'pino'
import { expect, inject, test } from 'vitest'
import type { BotMessage } from '../../../engine/flow/conversation'
import { richTextToString } from '../../../engine/values/richText'
import { callingFlow, callingRegistry } from '../../../tests/support/callingFlow'
import { createTestDatabase } from '../../../tests/support/database'
import { type Count, counting } from '../../../tests/support/effects'
import { insertPublishedFlow, type PublishedFlow } from '../../../tests/support/publishedFlow'
import { runtimeContext } from '../../../tests/support/runtimeContext'
import type { ConversationRef } from '../../modules/conversations/conversations/conversationRef'
import { createRuntime } from '../../modules/conversations/runtime/createRuntime'
import type { RunRef } from '../../modules/conversations/runtime/rows'
import { countVisits } from '../../modules/statistics/countVisits'
import { parseConfig } from '../config/config'
import { createDatabase, type RootDb } from './database'
import { migrate, migrations } from './migrate'

const runtimeOn = (db: RootDb, call?: Count) => {
  const context = runtimeContext({
    db,
    config: parseConfig({}),
    registry: callingRegistry,
    clock: () => new Date(),
    ids: () => randomBytes(8).toString('hex'),
    log: pino({ level: 'silent' }),
  })
  const runtime = createRuntime(context, call && [counting(call)])
  for (const job of runtime.jobs) context.jobs.handle(job)
  return Object.assign(runtime, { context })
}

/** A waiting conversation's state, as stored before sub-flows and interrupting intents existed. */
async function oldSession(): Promise<string> {
  const database = await createTestDatabase()
  const flow = await insertPublishedFlow(database.db, callingFlow({ calls: false }))
  const runtime = runtimeOn(database.db)
  const { ref } = await runtime.start({ ...flow, environment: 'sharing', clientId: 'start-0001', startedBy: null })
  const { flowId: _f, listen: _l, cutIn: _c, frames: _a, ...session } = (await runtime.read(ref)).session
  await runtime.close()
  await database.close()
  return JSON.stringify(session)
}

/** An installation at migration 0005, with a row in every table. */
const rows = (session: string) => `
  insert into users (gid, email, first_name, last_name, password_hash, created_at)
    values ('${'u'.repeat(16)}', 'a@example.org', 'A', 'B', 'x', now());
  insert into projects (gid, name, created_at, updated_at) values ('${'p'.repeat(16)}', 'P', now(), now());
  insert into project_members values (1, 1, '{1}', true, now());
  insert into chatbots (gid, egid, project_id, name, slug, created_at, updated_at)
    values ('${'b'.repeat(16)}', '${'e'.repeat(16)}', 1, 'B', 'bot', now(), now());
  insert into flows (gid, project_id, chatbot_id, title, is_main) values ('${'f'.repeat(16)}', 1, 1, 'Bot', true);
  insert into flow_updates (project_id, flow_id, data) values (1, 1, '\\x00');
  insert into flow_snapshots (project_id, flow_id, data) values (1, 1, '\\x00');
  insert into flow_versions (project_id, flow_id, number, hash, flow)
    values (1, 1, 1, 'x', '${JSON.stringify(callingFlow({ calls: false }))}');
  update flows set published_version_id = 1;
  insert into conversations (gid, project_id, chatbot_id, flow_version_id, environment, state, session, start_client_id,
      turns, created_at, updated_at)
    values ('${'c'.repeat(16)}', 1, 1, 1, 'sharing', 'waiting', '${session}', 'start-0001', 1, now(), now());
  insert into messages (conversation_id, project_id, seq, author, content, created_at)
    values (1, 1, 1, 1, '{"kind":"text","text":[]}', now());
  update conversations set last_seq = 1;
  insert into effects values (1, 1, 0, 0, 'now', null, null, 'done', '"2026"', now());
  insert into turn_records values (1, 1, 0, '[]', '{}', null, now());
  insert into files (gid, project_id, sha256, media_type, bytes, name, created_by, created_at)
    values ('${'d'.repeat(16)}', 1, '${'0'.repeat(64)}', 'image/png', 1, 'a.png', 1, now())`

/** A database with the migrations before a name; `close` drops it. */
async function databaseBefore(name: string) {
  const server = inject('databaseServer').connection
  const connection = { ...server, database: `upgrade_${randomBytes(6).toString('hex')}` }
  const admin = new pg.Client({ ...server, database: 'postgres' })
  await admin.connect()
  await admin.query(`CREATE DATABASE ${connection.database}`)
  const db = createDatabase(connection)
  await migrate(
    connection,
    migrations.filter((migration) => migration.name < name),
  )
  const close = async () => {
    await db.destroy()
    await admin.query(`DROP DATABASE ${connection.database} WITH (FORCE)`)
    await admin.end()
  }
  return { connection, db, close }
}

const shown = (messages: readonly { content: BotMessage }[]) =>
  messages.map(({ content }) => content.kind === 'text' && richTextToString(content.text, () => ''))

test('an installation of before conversations had timers, mails and flows within flows goes on', async () => {
  const session = await oldSession()
  const { connection, db, close } = await databaseBefore('0006')
  try {
    await seed(connection, rows(session))
    expect(await migrate(connection)).toEqual(migrations.map((one) => one.name).filter((one) => one >= '0006'))

    const runtime = runtimeOn(db)
    const ref = { id: '1', project_id: '1' }
    const { messages } = await runtime
      .reply(ref, 'message-1', { type: 'text', text: 'still here' })
      .finally(() => runtime.close())
    expect(shown(messages)).toEqual(['still here', 'still here:null'])
  } finally {
    await close()
  }
})

type Left = Record<'over' | 'cut' | 'handed' | 'timed', RunRef>

/**
 * Copies what conversations of today leave into a schema in which a conversation was a run: one that ended, one whose
 * call was interrupted by a crash, one that was handed to people, one that waits for a timer.
 */
async function fillAsBefore(old: RootDb): Promise<{ flow: PublishedFlow; left: Left; called: string[] }> {
  const { db, close } = await createTestDatabase()
  const flow = await insertPublishedFlow(db, callingFlow({ calls: true }))
  const called: string[] = []
  const dying = runtimeOn(db, (_, { idempotencyKey: key }) => {
    called.push(key)
    return new Promise(() => {})
  })
  const begin = async (clientId: string) =>
    (await dying.start({ ...flow, environment: 'sharing', clientId, startedBy: null })).ref
  const left: Left = {
    over: await begin('start-over'),
    cut: await begin('start-cut-'),
    handed: await begin('start-handed'),
    timed: await begin('start-timed'),
  }
  await countVisits({ db })
  await begin('start-uncounted')
  void dying.reply(left.cut, 'message-1', { type: 'text', text: 'cut' }).catch(() => {})
  await expect.poll(() => called).toHaveLength(1)
  await sql`update runs set state = 'ended' where id = ${left.over.run_id}`.execute(db)
  await sql`update runs set session = jsonb_set(session::jsonb, '{open}', '{"request":{}}')::json
    where id = ${left.handed.run_id}`.execute(db)
  await sql`update runs set session = jsonb_set(session::jsonb, '{request,timeout}', '60')::json
    where id = ${left.timed.run_id}`.execute(db)

  const fill = async (table: string, rows: RawBuilder<unknown>) => {
    const { rows: found } = await sql<{ data: string }>`
      select coalesce(json_agg(t), '[]')::text as data from (${rows}) t`.execute(db)
    await sql`insert into ${sql.table(table)} overriding system value
      select * from json_populate_recordset(null::${sql.table(table)}, ${found[0]?.data}::json)`.execute(old)
  }
  const ofRuns = (table: string) =>
    sql`select runs.conversation_id, t.* from ${sql.table(table)} t join runs on runs.id = t.run_id`
  await fill('projects', sql`select * from projects`)
  await fill('chatbots', sql`select * from chatbots`)
  await sql`update flows set published_version_id = null`.execute(db)
  await fill('flows', sql`select * from flows`)
  await fill('flow_versions', sql`select * from flow_versions`)
  await sql`update flows set published_version_id = (select id from flow_versions)`.execute(old)
  await fill(
    'conversations',
    sql`select c.*, r.flow_version_id, r.state, r.session, r.start_event, r.pending, r.pauses, r.carries_out,
    r.turns from conversations c join runs r on r.id = c.run_id`,
  )
  await fill('messages', sql`select * from messages`)
  for (const table of ['effects', 'turn_records', 'turn_paths']) await fill(table, ofRuns(table))
  await fill('conversation_visits', ofRuns('run_visits'))
  await sql`select setval('conversations_id_seq', max(id)) from conversations`.execute(old)
  await sql`insert into jobs (project_id, kind, key, payload, run_at, created_at) values (${flow.projectId}, 'conversation-timer',
    ${left.timed.id}, ${JSON.stringify({ conversation: left.timed.id, turn: 1 })}, now(), now())`.execute(old)
  await dying.close()
  await close()
  return { flow, left, called }
}

test('a database in which a conversation was one run still talks, answers and goes on with what was cut', async () => {
  const { connection, db, close } = await databaseBefore('0051')
  const calls: string[] = []
  const runtime = runtimeOn(db, async (_, { idempotencyKey: key }) => {
    calls.push(key)
    return calls.length
  })
  try {
    const { flow, left, called } = await fillAsBefore(db)
    await migrate(connection)
    const says = async (ref: ConversationRef, text: string) => {
      const { messages } = await runtime.reply(ref, `message-${text}`, { type: 'text', text })
      return shown(messages)
    }
    const statuses = await db.selectFrom('conversations').select('status').orderBy('id').execute()
    expect(statuses.map(({ status }) => status)).toEqual(['closed', 'bot', 'waiting', 'bot', 'bot'])

    // each message as before, the call under its old key, and none twice
    expect(await runtime.recover()).toBe(1)
    expect(calls).toEqual(called)
    expect(shown((await runtime.read(left.cut)).messages)).toEqual(['cut', 'cut:1'])
    expect(await says(left.cut, 'again')).toEqual(['again', 'again:2'])
    expect(await says(left.handed, 'handed')).toEqual(['handed', 'handed:3'])
    await expect(says(left.over, 'over')).rejects.toThrow('The conversation has ended.')
    await runtime.context.jobs.runDue()
    expect(shown((await runtime.read(left.timed)).messages)).toEqual(['timeout:4'])

    // new conversations have a separate run
    const { ref } = await runtime.start({ ...flow, environment: 'sharing', clientId: 'start-new', startedBy: null })
    expect(await says(ref, 'new')).toEqual(['new', 'new:5'])
    const rows = await db.selectFrom('conversations').select(['id', 'status']).orderBy('id').execute()
    expect(rows.map(({ status }) => status)).toEqual(['closed', 'bot', 'waiting', 'bot', 'bot', 'bot'])
    await countVisits({ db })
    const visits = await db.selectFrom('run_visits').select('replies').orderBy('run_id').execute()
    expect(visits.map(({ replies }) => replies)).toEqual([0, 2, 1, 0, 0, 1])
  } finally {
    await runtime.close()
    await close()
  }
})

async function seed(connection: pg.ClientConfig, statements: string): Promise<void> {
  const client = new pg.Client(connection)
  await client.connect()
  await client.query(statements)
  await client.end()
}
