import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import pg from 'pg'
import { expect, inject, test } from 'vitest'
import { createDatabase } from '../../server/platform/database/database'
import { migrate, migrations } from '../../server/platform/database/migrate'
import { CONVERSATIONS, FIRST, firstRows, MESSAGES } from './firstRows'
import { since } from './ownedProcess'

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
