import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import pg from 'pg'
import { expect, inject, test } from 'vitest'
import { createDatabase } from '../../server/platform/database/database'
import { migrate, migrations } from '../../server/platform/database/migrate'
import { since } from './ownedProcess'

/** The schema that landed first. */
const FIRST = '0005_foreign_keys'
const CONVERSATIONS = 20_000
const MESSAGES = 10

test('upgrade: an installation of the first schema with 200,000 messages is brought to the newest, with all of them', async () => {
  const server = inject('databaseServer').connection
  const connection = { ...server, database: `drill_${randomBytes(6).toString('hex')}` }
  const admin = new pg.Client({ ...server, database: 'postgres' })
  await admin.connect()
  await admin.query(`create database ${connection.database}`)
  const db = createDatabase(connection)
  try {
    const older = migrations.filter(({ name }) => name <= FIRST)
    expect(older.at(-1)?.name).toBe(FIRST)
    await migrate(connection, older)
    const client = new pg.Client(connection)
    await client.connect()
    await client.query(firstRows).finally(() => client.end())

    const began = performance.now()
    const ran = await migrate(connection)
    const took = since(began)
    expect(ran).toHaveLength(migrations.length - older.length)
    const { rows } = await sql<{ conversations: string; messages: string; runs: string }>`
      select (select count(*) from conversations) as conversations, (select count(*) from messages) as messages,
        (select count(*) from runs) as runs`.execute(db)
    expect(rows[0]).toEqual({
      conversations: String(CONVERSATIONS),
      messages: String(CONVERSATIONS * MESSAGES),
      runs: String(CONVERSATIONS),
    })
    expect(await migrate(connection)).toEqual([])
    console.info(
      `upgrade: ${ran.length} migrations over ${CONVERSATIONS} conversations with ${CONVERSATIONS * MESSAGES} messages in ${took}`,
    )
  } finally {
    await db.destroy()
    await admin.query(`drop database ${connection.database} with (force)`)
    await admin.end()
  }
}, 600_000)

const firstRows = `
  insert into users (gid, email, first_name, last_name, password_hash, created_at)
    values ('${'u'.repeat(16)}', 'a@example.org', 'A', 'B', 'x', now());
  insert into projects (gid, name, created_at, updated_at) values ('${'p'.repeat(16)}', 'P', now(), now());
  insert into project_members values (1, 1, '{1}', true, now());
  insert into chatbots (gid, egid, project_id, name, slug, created_at, updated_at)
    values ('${'b'.repeat(16)}', '${'e'.repeat(16)}', 1, 'B', 'bot', now(), now());
  insert into flows (gid, project_id, chatbot_id, title, is_main) values ('${'f'.repeat(16)}', 1, 1, 'Bot', true);
  insert into flow_versions (project_id, flow_id, number, hash, flow)
    values (1, 1, 1, 'x', '{"version":1,"groups":[],"edges":[],"variables":[]}');
  update flows set published_version_id = 1;
  insert into conversations (gid, project_id, chatbot_id, flow_version_id, environment, state, session, start_client_id,
      turns, created_at, updated_at)
    select lpad(n::text, 16, 'c'), 1, 1, 1, 'production', 'ended', '{}', 'start-' || n, 1, now(), now()
    from generate_series(1, ${CONVERSATIONS}) n;
  insert into messages (conversation_id, project_id, seq, author, content, created_at)
    select c.id, 1, seq, 1 + seq % 2, '{"kind":"text","text":[{"type":"paragraph","children":[{"text":"Hello"}]}]}', now()
    from conversations c, generate_series(1, ${MESSAGES}) seq;
  update conversations set last_seq = ${MESSAGES}`
