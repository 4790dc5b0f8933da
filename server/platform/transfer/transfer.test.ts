import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTenant, seeds, type Tenant } from '../../../tests/security/tenancy/seeds'
import { type DatabaseUrl, startDatabaseServer } from '../../../tests/support/databaseUrl'
import { startTestServer, type TestServer } from '../../../tests/support/server'
import { asked, contentOf } from '../../../tests/support/tableContent'
import { sha256Of } from '../backup/checksums'
import { parseConfig } from '../config/config'
import { type Connection, createDatabase } from '../database/database'
import { keepMonths } from '../events/months'
import { createFileStore } from '../files/files'
import { keyOfFolder } from '../secrets/keys'
import { exportInstallation } from './exportInstallation'
import { importInstallation } from './importInstallation'

const UNIQUE = '23505'
const PASSPHRASE = 'correct horse battery'
let root: string
let source: TestServer
/** another PostgreSQL, in which nobody is more than the owner of a database */
let other: DatabaseUrl
let exported: string
/** is refused what is wrong until it is given what is whole: each try finds it as the first one did */
let target: Target
let count = 0
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'parley-transfer-'))
  other = await startDatabaseServer()
  await asked({ connectionString: other.url }, "create role plain login password 'plain'")
  source = await startTestServer()
  keyOfFolder(source.context.config.dataDir)
  await fill(await tenant())
  // what is written from now on is written by a test
  await source.app.close()
  await source.context.db.destroy()
  await asked(
    source.connection,
    `insert into events (project_id, type, version, actor, correlation, payload, at)
      select project_id, type, version, actor, correlation, payload, at - interval '9 months' from events limit 1`,
  )
  exported = await exportTo()
  target = await emptyTarget()
})
afterAll(async () => {
  await source?.close()
  await other?.stop()
  await rm(root, { recursive: true, force: true })
})

async function tenant(): Promise<Tenant> {
  const owner = await source.register()
  const { id } = await source.context.db
    .selectFrom('users')
    .select('id')
    .where('gid', '=', owner.user.ui)
    .executeTakeFirstOrThrow()
  return createTenant(source, owner, [{ userId: id, gid: owner.user.ui, roles: [1] }])
}

/** Rows in as many tables as the tests of tenancy know how to fill. */
async function fill(of: Tenant): Promise<void> {
  for (const seed of new Set(Object.values(seeds)))
    await seed(of).catch((error: { code?: string }) => {
      // two seeds may make the same row
      if (error.code !== UNIQUE) throw error
    })
}

async function exportTo(connection: Connection = source.connection, dataDir = source.context.config.dataDir) {
  const config = { dataDir, secretKeys: [], bucket: null }
  const always = { config, passphrase: PASSPHRASE, clock: () => new Date(), onTable: () => {} }
  return (await exportInstallation({ ...always, connection, folder: join(root, `export-${++count}`) })).folder
}

interface Target {
  connection: Connection
  dataDir: string
}
async function emptyTarget(): Promise<Target> {
  const name = `target_${randomBytes(6).toString('hex')}`
  await asked({ connectionString: other.url }, `create database ${name} owner plain`)
  const url = new URL(other.url)
  Object.assign(url, { username: 'plain', password: 'plain', pathname: name })
  return { connection: { connectionString: url.href }, dataDir: join(root, name) }
}

const importInto = ({ connection, dataDir }: Target, folder: string, given: { passphrase?: string | null } = {}) =>
  importInstallation({
    config: { ...parseConfig({ FREE_SPACE_MB: '0' }), dataDir },
    ...{ connection, folder, passphrase: PASSPHRASE, withoutKey: false, onTable: () => {}, ...given },
  })

test('a folder that is damaged or no export, a database in use, and another passphrase are refused before anything is written', async () => {
  const folder = exported
  const part = join(folder, 'tables/projects.gz')
  const content = await readFile(part)
  await writeFile(part, content.subarray(1))
  await expect(importInto(target, folder)).rejects.toThrow('projects.gz is missing or not as it was written')
  await writeFile(part, content)
  const manifest = join(folder, 'export.json')
  const told = await readFile(manifest, 'utf8')
  const refused = async (text: string, message: string) => {
    await writeFile(manifest, text)
    await expect(importInto(target, folder)).rejects.toThrow(message)
    await writeFile(manifest, told)
  }
  await refused('{}', "can't be understood")
  await refused(told.replace('"name": "projects"', '"name": "projects; drop table users"'), "can't be understood")
  await refused(told.replace('0001_accounts', '9999_tomorrow'), 'A newer Parley made this export')
  await expect(importInto(target, root)).rejects.toThrow('is no export')
  await expect(importInto(target, folder, { passphrase: 'another passphrase' })).rejects.toThrow('does not open')
  await expect(importInto(target, folder, { passphrase: null })).rejects.toThrow('set BACKUP_PASSPHRASE')

  const guest = new pg.Client(target.connection)
  await guest.connect()
  await expect(importInto(target, folder)).rejects.toThrow('Other programs use this database')
  await guest.end()
  expect(await asked(target.connection, "select from pg_class where relname = 'projects'")).toEqual([])

  const used = { connection: source.connection, dataDir: join(root, 'used') }
  await expect(importInto(used, folder)).rejects.toThrow('holds an installation already')
})

test('rows that do not belong together are refused, and nothing of them stays', async () => {
  const folder = exported
  const whole = await readFile(join(folder, 'tables/user_settings.gz'))
  const foreign = gunzipSync(whole).toString().replace(/^\d+/, '987654321')
  await forge(folder, 'tables/user_settings.gz', gzipSync(foreign))
  await expect(importInto(target, folder)).rejects.toThrow(/can't be taken in user_settings/)
  expect(await asked(target.connection, 'select from users union all select from projects')).toEqual([])
  await forge(folder, 'tables/user_settings.gz', whole)
})

/** Changes a part, with its checksums, as somebody would who knows the form. */
async function forge(folder: string, part: string, content: Buffer): Promise<void> {
  await writeFile(join(folder, part), content)
  const list = (await readFile(join(folder, 'checksums.txt'), 'utf8')).replace(
    new RegExp(`[0-9a-f]{64}(?=  ${part}\\n)`),
    sha256Of(content),
  )
  await writeFile(join(folder, 'checksums.txt'), list)
  const manifest = await readFile(join(folder, 'export.json'), 'utf8')
  await writeFile(
    join(folder, 'export.json'),
    manifest.replace(/"checksums": "[0-9a-f]{64}"/, `"checksums": "${sha256Of(list)}"`),
  )
}

test('an installation is the same in another server, whose login owns no more than its database', async () => {
  const { tables, files } = await importInto(target, exported)
  const before = await contentOf(source.connection)
  const after = await contentOf(target.connection)
  expect(after).toEqual(before)
  // the comparison is of many tables that have rows
  expect([...before.values()].filter(({ rows }) => rows !== '0').length).toBeGreaterThan(60)
  expect(tables.length).toBeGreaterThan(150)

  const stores = [source.context.config.dataDir, target.dataDir].map((folder) => createFileStore(join(folder, 'files')))
  const named = async (store: (typeof stores)[0]) => {
    const found: string[] = []
    for await (const { area, sha256 } of store.list()) found.push(`${area}/${sha256}`)
    return found.sort()
  }
  const [given = [], taken] = await Promise.all(stores.map(named))
  expect([taken, given.length]).toEqual([given, files.count])
  expect(keyOfFolder(target.dataDir)).toEqual(keyOfFolder(source.context.config.dataDir))

  // what points at rows is held to again, what follows from writes does, and the next ids are free
  const held = (connection: Connection) =>
    asked<{ told: string }>(
      connection,
      `select format('%s %s %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as told from pg_constraint
          where connamespace = 'public'::regnamespace and conrelid::regclass::text not like 'events\\_%'
        union all select format('%s %s %s', tgrelid::regclass, tgname, tgenabled) from pg_trigger where not tgisinternal
        union all select format('%s %s', sequencename, last_value) from pg_sequences order by 1`,
    )
  expect(await held(target.connection)).toEqual(await held(source.connection))
  // and from there it is exported as it came
  const again = await exportTo(target.connection, target.dataDir)
  const sums = async (folder: string) =>
    (await readFile(join(folder, 'checksums.txt'), 'utf8'))
      .split('\n')
      .filter((line) => !/installation\.gz|secret\.key/.test(line))
  expect(await sums(again)).toEqual(await sums(exported))
  // the sweep of events makes the months that come without one
  const db = createDatabase(target.connection)
  await keepMonths(db, new Date(), [])
  expect((await sql`select from only events_default`.execute(db)).rows).toEqual([])
  await db.destroy()
})

test('all tables are of one moment, while others write', async () => {
  let over = false
  const writing = (async () => {
    // the later table first, as a copy one after the other would miss the earlier one
    for (let at = 0; !over; at++)
      await asked(
        source.connection,
        `with one as (insert into users (gid, email, first_name, last_name, password_hash, created_at)
            values ('moment${at}', 'moment${at}@example.org', 'A', 'B', 'x', now()) returning id)
          insert into user_settings (user_id) select id from one`,
      )
  })()
  const folder = await exportTo()
  over = true
  await writing
  const read = async (table: string) => gunzipSync(await readFile(join(folder, `tables/${table}.gz`))).toString()
  const firsts = (text: string) => text.split('\n').map((line) => line.split('\t')[0])
  const users = (await read('users')).split('\n').filter((line) => line.includes('\tmoment'))
  const settings = firsts(await read('user_settings'))
  expect(users.length).toBeGreaterThan(0)
  expect(firsts(users.join('\n')).filter((id) => !settings.includes(id))).toEqual([])
})
