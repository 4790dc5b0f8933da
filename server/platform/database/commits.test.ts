import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../tests/support/database'
import type { Db } from './database'

let database: TestDatabase
let projectId: string
let told: string[]
beforeEach(async () => {
  database = await createTestDatabase()
  told = []
  const values = { gid: 'p', name: 'p', created_at: new Date(), updated_at: new Date() }
  projectId = (await database.db.insertInto('projects').values(values).returning('id').executeTakeFirstOrThrow()).id
  database.db.afterInsert('contacts', (parameters) => {
    told.push(String(parameters.find((each) => /^[a-z]+0+$/.test(String(each)))).replace(/0+$/, ''))
  })
})
afterEach(() => database.close())

const contact = (name: string) => {
  const at = new Date('2026-01-01T00:00:00Z')
  return { gid: name.padEnd(16, '0'), project_id: projectId, custom: '{}', created_at: at, updated_at: at } as never
}
const insert = (on: Pick<Db, 'insertInto'>, name: string) => on.insertInto('contacts').values(contact(name)).execute()

test('what is inserted in a transaction is told of once that is committed, all of it', async () => {
  await database.db.transaction().execute(async (work) => {
    await insert(work, 'one')
    await insert(work, 'two')
    expect(told).toEqual([])
  })
  expect(told).toEqual(['one', 'two'])
})

test('what is rolled back is not told of, nor with the transaction after it on the same connection', async () => {
  await expect(
    database.db.transaction().execute(async (work) => {
      await insert(work, 'lost')
      throw new Error('rolled back')
    }),
  ).rejects.toThrow('rolled back')
  await database.db.connection().execute(async (one) => {
    const first = await one.startTransaction().execute()
    await insert(first, 'other')
    await first.rollback().execute()
    await one.transaction().execute((work) => insert(work, 'kept'))
  })
  expect(told).toEqual(['kept'])
})

test('a statement of its own is told of when it is done, one that fails never', async () => {
  await insert(database.db, 'alone')
  await expect(insert(database.db, 'alone')).rejects.toThrow()
  expect(told).toEqual(['alone'])
})

test('the handle of a project tells as well, and so does a part of a larger statement', async () => {
  const { db } = database
  await db
    .forProject(projectId)
    .transaction()
    .execute((work) => insert(work, 'scoped'))
  await db
    .with('part', (on) => on.insertInto('contacts').values(contact('part')).returning('id'))
    .updateTable('projects')
    .set({ name: 'Renamed' })
    .where('id', '=', projectId)
    .execute()
  expect(told).toEqual(['scoped', 'part'])
})

test('other tables are not told of, and nobody who has stopped listening is', async () => {
  const others: unknown[] = []
  const stop = database.db.afterInsert('chatbots', (parameters) => others.push(parameters))
  await insert(database.db, 'one')
  expect([told, others]).toEqual([['one'], []])
  stop()
  await sql`select 1`.execute(database.db)
  expect(others).toEqual([])
})
