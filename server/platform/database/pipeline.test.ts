import { sql } from 'kysely'
import type pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../tests/support/database'
import { createDatabase, type RootDb, type Work } from './database'
import { createPipeline, thenCommit } from './pipeline'
import { DatabaseUnavailable } from './unavailable'

let database: TestDatabase
/** over one connection: what one transaction leaves on it, the next one meets */
let one: RootDb
beforeAll(async () => {
  database = await createTestDatabase()
  one = createDatabase(database.connection, { max: 1 })
})
afterAll(async () => {
  await one.destroy()
  await database.close()
})

const at = new Date('2026-01-01T00:00:00Z')
const insert = (on: Pick<Work, 'insertInto'>, gid: string) =>
  on.insertInto('projects').values({ gid, name: gid, created_at: at, updated_at: at })
const gids = async () => {
  const rows = await database.db.selectFrom('projects').select('gid').where('gid', 'like', 'of-%').execute()
  return rows.map(({ gid }) => gid.slice('of-'.length)).sort()
}

test('a transaction begins with its first statement and commits with the marked one: two round trips', async () => {
  const sent: string[] = []
  let answer = () => {}
  const answered = new Promise<void>((resolve) => {
    answer = resolve
  })
  const send = async (text: string): Promise<pg.QueryResult> => {
    sent.push(text)
    await answered
    return { command: 'SELECT', rowCount: 1, rows: [text], oid: 0, fields: [] }
  }
  const run = createPipeline(send, () => {})
  await run('begin', [])
  expect(sent).toEqual([])
  const first = run('first', [])
  expect(sent).toEqual(['begin', 'first'])
  answer()
  expect((await first).rows).toEqual(['first'])
  const last = `last ${thenCommit.compile(one).sql}`
  expect((await run(last, [])).rows).toEqual([last])
  await run('commit', [])
  expect(sent).toEqual(['begin', 'first', last, 'commit'])
})

test('a transaction without statements asks the server nothing', async () => {
  const run = createPipeline(
    () => Promise.reject(new Error('asked')),
    () => {},
  )
  await run('begin', [])
  await run('commit', [])
  await run('begin', [])
  await run('rollback', [])
})

test('the marked statement is committed, and told of, before its transaction is over for the caller', async () => {
  const told: string[] = []
  const stop = one.afterInsert('projects', () => told.push('inserted'))
  await one.transaction().execute(async (work) => {
    await insert(work, 'of-first').execute()
    expect([await gids(), told]).toEqual([[], []])
    await insert(work, 'of-last').modifyEnd(thenCommit).execute()
    expect([await gids(), told]).toEqual([
      ['first', 'last'],
      ['inserted', 'inserted'],
    ])
  })
  stop()
  expect(told).toHaveLength(2)
})

test('a marked statement that fails takes back its transaction, and the connection serves the next one', async () => {
  const before = await gids()
  const told: string[] = []
  const stop = one.afterInsert('projects', () => told.push('inserted'))
  const failing = one.transaction().execute(async (work) => {
    await insert(work, 'of-lost').execute()
    await insert(work, 'of-lost').modifyEnd(thenCommit).execute()
  })
  await expect(failing).rejects.toMatchObject({ code: '23505' })
  expect([await gids(), told]).toEqual([before, []])
  await one.transaction().execute((work) => insert(work, 'of-next').execute())
  stop()
  expect([await gids(), told]).toEqual([[...before, 'next'].sort(), ['inserted']])
})

test('a statement after the marked one is refused, in that transaction alone', async () => {
  const late = one.transaction().execute(async (work) => {
    await insert(work, 'of-marked').modifyEnd(thenCommit).execute()
    await insert(work, 'of-late').execute()
  })
  await expect(late).rejects.toThrow('follows the one with which its transaction was committed')
  await one.transaction().execute((work) => insert(work, 'of-after').execute())
  expect(await gids()).toEqual(expect.arrayContaining(['marked', 'after']))
  expect(await gids()).not.toContain('late')
})

test('a connection that breaks under a marked statement is the database’s failure, and another one takes its place', async () => {
  const breaking = one.transaction().execute(async (work) => {
    await insert(work, 'of-broken').execute()
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(work)
    await sql`select pg_terminate_backend(${rows[0]?.pid}, 10000)`.execute(database.db)
    await insert(work, 'of-broken-too').modifyEnd(thenCommit).execute()
  })
  await expect(breaking).rejects.toThrow(DatabaseUnavailable)
  await insert(one, 'of-healed').execute()
  expect(await gids()).toEqual(expect.arrayContaining(['healed']))
  expect(await gids()).not.toContain('broken')
})

test('a statement is prepared once on a connection, whoever runs it again', async () => {
  // a process prepares so many statements, which other tests may have used up
  vi.resetModules()
  const fresh = (await import('./database')).createDatabase(database.connection, { max: 1 })
  try {
    for (const name of ['x', 'y']) await fresh.selectFrom('projects').select('id').where('name', '=', name).execute()
    const { rows } = await sql<{ statement: string }>`select statement from pg_prepared_statements`.execute(fresh)
    expect(rows.filter(({ statement }) => statement.includes('"name" = $1'))).toHaveLength(1)
  } finally {
    await fresh.destroy()
  }
})

test('sixteen connections are open at once unless another number is asked for', async () => {
  const usual = createDatabase(database.connection)
  try {
    let reached = 0
    let end = () => {}
    const held = new Promise<void>((resolve) => {
      end = resolve
    })
    const hold = () =>
      usual.connection().execute(async () => {
        reached += 1
        await held
      })
    const holders = Array.from({ length: 20 }, hold)
    await expect.poll(() => reached).toBe(16)
    end()
    await Promise.all(holders)
    expect(reached).toBe(20)
  } finally {
    await usual.destroy()
  }
})

test('where no connection is had, the database is unavailable, with what the driver said of it', async () => {
  const nowhere = createDatabase({ host: '127.0.0.1', port: 1, user: 'parley', database: 'parley' })
  const failed = await sql`select 1`.execute(nowhere).catch((error: unknown) => error)
  expect(failed).toBeInstanceOf(DatabaseUnavailable)
  expect(failed).toMatchObject({ cause: { code: 'ECONNREFUSED' } })
  await nowhere.destroy()
})
