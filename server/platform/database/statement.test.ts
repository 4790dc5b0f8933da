import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../tests/support/database'
import { SqlText, Statement } from './statement'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
  await sql`create table pages (project_id bigint, path text, views int, at timestamptz)`.execute(database.db)
})
afterAll(() => database.close())

/** A table of this test alone: the statement's types know those of the application. */
const pages = 'pages' as 'users'
const rows = async () => (await sql`select path, views from pages order by path`.execute(database.db)).rows

test('values are parameters, whatever they hold, and text of the code stands as it is', async () => {
  const statement = new Statement()
  const hostile = "x'); drop table pages; --"
  statement.with(
    'first',
    statement.insert(pages, [
      { project_id: '1', path: hostile, views: new SqlText('1 + 1') },
      { project_id: '1', path: 'b', views: 3 },
    ] as never),
  )
  const [row] = await statement.execute<{ sum: number }>(database.db, `select ${statement.value(4)}::int + 1 as sum`)
  expect(row).toEqual({ sum: 5 })
  expect(await rows()).toEqual([
    { path: 'b', views: 3 },
    { path: hostile, views: 2 },
  ])
})

test('a part that Kysely made keeps its own values between those before and behind it', async () => {
  const statement = new Statement()
  const before = statement.value('b')
  statement.withQuery('seen', sql`select path, ${7}::int as seven from pages where path = ${'b'} and views = ${3}`)
  const last = `select seen.path, seven from seen where seen.path = ${before} and seven = ${statement.value(7)}`
  expect(await statement.execute(database.db, last)).toEqual([{ path: 'b', seven: 7 }])
})

test('an update leaves a column that is undefined, and empties one that is null', async () => {
  const statement = new Statement()
  const update = statement.update(pages, { views: null, path: undefined } as never)
  await statement.execute(database.db, `${update} where path = ${statement.value('b')}`)
  expect((await rows())[0]).toEqual({ path: 'b', views: null })
})

test('a statement that ends its transaction is committed with it', async () => {
  await database.db.transaction().execute(async (work) => {
    const statement = new Statement()
    const insert = statement.insert(pages, [{ project_id: '1', path: 'c', views: 1 }] as never)
    await statement.execute(work, insert, { commits: true })
    await expect(sql`select 1`.execute(work)).rejects.toThrow('A statement follows')
  })
  expect(await rows()).toContainEqual({ path: 'c', views: 1 })
})
