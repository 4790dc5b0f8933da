import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../tests/support/database'
import { insertChatbot, insertSources } from '../../../tests/support/knowledgeBase'
import { createDatabase } from './database'
import { migrate } from './migrate'
import { tablesOfNoProject } from './projectScope'

let database: TestDatabase
let own: { projectId: string; chatbotId: string }
let foreign: { projectId: string; chatbotId: string }
beforeAll(async () => {
  database = await createTestDatabase()
  own = await insertChatbot(database.db)
  foreign = await insertChatbot(database.db)
  for (const place of [own, foreign]) await insertSources(database.db, place, [{ title: 'Fees', texts: ['Twelve.'] }])
})
afterAll(() => database.close())

const scoped = () => database.db.forProject(own.projectId)
const names = () => database.db.selectFrom('chatbots').select(['project_id', 'name']).orderBy('id').execute()

test('a query finds the rows of its project alone, also by the id of another’s', async () => {
  const db = scoped()
  expect(await db.selectFrom('chatbots').select('id').execute()).toEqual([{ id: own.chatbotId }])
  expect(await db.selectFrom('chatbots').select('id').where('id', '=', foreign.chatbotId).execute()).toEqual([])
  expect(await db.selectFrom('projects').select('id').execute()).toEqual([{ id: own.projectId }])
})

test('so do joins under other names, subqueries and parts with names', async () => {
  const db = scoped()
  const joined = await db
    .selectFrom('projects as p')
    .leftJoin('chatbots as c', (join) => join.onTrue())
    .select(['p.id', 'c.id as chatbot'])
    .execute()
  expect(joined).toEqual([{ id: own.projectId, chatbot: own.chatbotId }])
  const empty = await db
    .selectFrom('projects as p')
    .leftJoin('chatbots as c', (join) => join.on('c.id', '=', foreign.chatbotId))
    .select(['p.id', 'c.id as chatbot'])
    .execute()
  expect(empty).toEqual([{ id: own.projectId, chatbot: null }])
  const within = await db
    .with('bots', (part) => part.selectFrom('chatbots').select('id'))
    .selectFrom('bots')
    .select(({ selectFrom }) => [
      'bots.id',
      selectFrom('knowledge_sources')
        .select(({ fn }) => fn.countAll<string>().as('n'))
        .as('sources'),
    ])
    .execute()
  expect(within).toEqual([{ id: own.chatbotId, sources: '1' }])
})

test('nothing of another project is changed or deleted, and no row is written into it', async () => {
  const before = await names()
  const db = scoped()
  await db.transaction().execute(async (trx) => {
    await trx.updateTable('chatbots').set({ name: 'Taken' }).where('id', '=', foreign.chatbotId).execute()
    await trx.deleteFrom('chatbots').where('id', '=', foreign.chatbotId).execute()
    await trx.deleteFrom('chatbots').using('flows').whereRef('flows.chatbot_id', '=', 'chatbots.id').execute()
  })
  expect(await names()).toEqual(before)
  const at = new Date()
  const row = { gid: 'g'.repeat(16), egid: 'e'.repeat(16), name: 'x', slug: 'x', created_at: at, updated_at: at }
  await expect(
    db
      .insertInto('chatbots')
      .values({ ...row, project_id: foreign.projectId })
      .execute(),
  ).rejects.toThrow('A row of chatbots is of another project')
  expect(await names()).toEqual(before)
})

test('a statement in raw SQL is held by the database', async () => {
  const db = scoped()
  const { rows } = await sql<{ id: string }>`select id from chatbots`.execute(db)
  expect(rows).toEqual([{ id: own.chatbotId }])
  const { numAffectedRows } = await sql`delete from chatbots where id = ${foreign.chatbotId}`.execute(db)
  expect(numAffectedRows).toBe(0n)
  await expect(
    sql`update chatbots set project_id = ${foreign.projectId} where id = ${own.chatbotId}`.execute(db),
  ).rejects.toThrow('row-level security')
  await expect(sql`select password_hash from users`.execute(db)).rejects.toThrow('permission denied')
})

test('a connection that served one project sees what the next user of it may see', async () => {
  const db = createDatabase(database.connection, { max: 1 })
  const count = sql<{ n: string }>`select count(*) as n from chatbots`
  const ask = async (from: Parameters<typeof count.execute>[0]) => (await count.execute(from)).rows[0]?.n
  const seen = []
  for (const from of [db, db.forProject(own.projectId), db, db.forProject(foreign.projectId), db.forProject('0'), db])
    seen.push(await ask(from))
  expect(seen).toEqual(['2', '1', '2', '1', '0', '2'])
  await db.destroy()
})

test('each table of a project is kept by a policy, and no other table has a project', async () => {
  const { rows } = await sql<{ name: string; project: boolean; kept: boolean }>`
    select t.relname as name,
      exists (select from pg_attribute a where a.attrelid = t.oid and a.attname = 'project_id') as project,
      t.relrowsecurity and exists (select from pg_policy p where p.polrelid = t.oid) as kept
    from pg_class t where t.relnamespace = 'public'::regnamespace and t.relkind in ('r', 'p')
  `.execute(database.db)
  const withoutProject = rows.filter(({ name, project }) => !project && name !== 'projects').map(({ name }) => name)
  expect(new Set(withoutProject)).toEqual(tablesOfNoProject)
  expect(rows.filter(({ name, kept }) => kept === tablesOfNoProject.has(name)).map(({ name }) => name)).toEqual([])
})

test('a login that may not work as the role keeps to its project by the queries alone', async () => {
  const admin = new pg.Client(database.connection)
  await admin.connect()
  const login = `plain_${own.projectId}_${Date.now()}`
  await admin.query(`create role ${login} login`)
  await admin.query(`grant pg_read_all_data to ${login}`)
  await admin.query(`alter role ${login} bypassrls`)
  const db = createDatabase({ ...database.connection, user: login })
  expect(await db.forProject(own.projectId).selectFrom('chatbots').select('id').execute()).toEqual([
    { id: own.chatbotId },
  ])
  await db.destroy()
  await admin.query(`drop owned by ${login}; drop role ${login}`)
  await admin.end()
})

test('a login that may grant the role, and not take it yet, is held by it once the tables are its own', async () => {
  const admin = new pg.Client(database.connection)
  await admin.connect()
  const name = `maker_${Date.now()}`
  await admin.query(`create role ${name} login`)
  await admin.query(`grant parley_project to ${name} with admin true, inherit false, set false`)
  await admin.query(`create database ${name} owner ${name}`)
  const connection = { ...database.connection, user: name, database: name }
  await migrate(connection)
  const db = createDatabase(connection)
  const { projectId, chatbotId } = await insertChatbot(db)
  await insertChatbot(db)
  const { rows } = await sql`select id from chatbots`.execute(db.forProject(projectId))
  expect(rows).toEqual([{ id: chatbotId }])
  await db.destroy()
  await admin.query(`drop database ${name}`)
  await admin.query(`drop role ${name}`)
  await admin.end()
})

test('a connection that could not be set to its project is given back, for others to have one', async () => {
  const db = createDatabase(database.connection, { max: 1 })
  try {
    // no value of a setting
    await expect(db.forProject('\0').selectFrom('chatbots').select('id').execute()).rejects.toThrow()
    expect(await db.selectFrom('chatbots').select('id').where('id', '=', own.chatbotId).execute()).toHaveLength(1)
  } finally {
    await db.destroy()
  }
})
