import { randomBytes } from 'node:crypto'
import pg from 'pg'
import pino from 'pino'
import { expect, inject, test } from 'vitest'
import { richTextToString } from '../../../engine/values/richText'
import { callingFlow, callingRegistry } from '../../../tests/support/callingFlow'
import { createTestDatabase } from '../../../tests/support/database'
import { insertPublishedFlow } from '../../../tests/support/publishedFlow'
import { createHost } from '../../modules/conversations/runtime/createHost'
import { parseConfig } from '../config/config'
import { createDatabase, type Db } from './database'
import { migrate, migrations } from './migrate'

const hostOn = (db: Db) =>
  createHost({
    db,
    config: parseConfig({}),
    registry: callingRegistry,
    clock: () => new Date('2026-01-01T00:00:00Z'),
    ids: () => randomBytes(8).toString('hex'),
    log: pino({ level: 'silent' }),
  })

/** The state in which a conversation waits, as it was kept before flows could enter flows and intents cut in. */
async function oldSession(): Promise<string> {
  const database = await createTestDatabase()
  const flow = await insertPublishedFlow(database.db, callingFlow({ calls: false }))
  const host = hostOn(database.db)
  const { ref } = await host.start({ ...flow, environment: 'sharing', clientId: 'start-0001', startedBy: null })
  const { flowId: _f, listen: _l, cutIn: _c, frames: _a, ...session } = (await host.read(ref)).session
  await host.close()
  await database.close()
  return JSON.stringify(session)
}

/** An installation of the time of migration 0005, with a row of everything. */
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

test('an installation of before conversations had timers, mails and flows within flows goes on', async () => {
  const session = await oldSession()
  const name = `upgrade_${randomBytes(6).toString('hex')}`
  const server = inject('databaseServer').connection
  const connection = { ...server, database: name }
  const admin = new pg.Client({ ...server, database: 'postgres' })
  await admin.connect()
  await admin.query(`CREATE DATABASE ${name}`)
  const db = createDatabase(connection)
  try {
    await migrate(
      connection,
      migrations.filter((migration) => migration.name < '0006'),
    )
    await seed(connection, rows(session))
    expect(await migrate(connection)).toEqual(migrations.map((one) => one.name).filter((one) => one >= '0006'))

    const host = hostOn(db)
    const ref = { id: '1', project_id: '1' }
    const { messages } = await host
      .reply(ref, 'message-1', { type: 'text', text: 'still here' })
      .finally(() => host.close())
    expect(messages.map(({ content }) => content.kind === 'text' && richTextToString(content.text, () => ''))).toEqual([
      'still here',
      'still here:null',
    ])
  } finally {
    await db.destroy()
    await admin.query(`DROP DATABASE ${name} WITH (FORCE)`)
    await admin.end()
  }
})

async function seed(connection: pg.ClientConfig, statements: string): Promise<void> {
  const client = new pg.Client(connection)
  await client.connect()
  await client.query(statements)
  await client.end()
}
