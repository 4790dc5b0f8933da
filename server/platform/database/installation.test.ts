import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../tests/support/database'
import { folderPlace } from '../files/place'
import { type Binding, bindFiles, refuseForeignFiles } from './installation'

let files: string
let databases: TestDatabase[]
beforeEach(async () => {
  files = await mkdtemp(join(tmpdir(), 'parley-bind-'))
  databases = []
})
afterEach(async () => {
  await Promise.all(databases.map((database) => database.close()))
  await rm(files, { recursive: true, force: true })
})

/** A database of a new installation, with an account or without. */
async function anInstallation(used: boolean): Promise<Binding & { id: string }> {
  const database = await createTestDatabase()
  databases.push(database)
  const id = `installation-${databases.length}`
  await database.db.updateTable('installation').set({ bus_name: id }).execute()
  if (used) {
    const person = { gid: 'u', email: 'a@example.com', first_name: 'A', last_name: 'B', password_hash: 'x' }
    await database.db
      .insertInto('users')
      .values({ ...person, created_at: new Date() })
      .execute()
  }
  return { connection: database.connection, files: folderPlace(files), database: 'this database', adopt: false, id }
}

/** What a start does. */
async function start(binding: Binding): Promise<void> {
  await refuseForeignFiles(binding)
  await bindFiles(binding)
}

async function putFile(): Promise<void> {
  await mkdir(join(files, '1'), { recursive: true })
  await writeFile(join(files, '1', 'a'.repeat(64)), 'bytes')
}

test('a new installation binds its folder, and every process of it starts', async () => {
  const own = await anInstallation(false)
  await Promise.all([start(own), start(own), start(own)])
  expect(await folderPlace(files).read()).toBe(own.id)
  await putFile()
  await start(own)
})

test('a database that can’t be asked for its name is not taken for one without', async () => {
  const own = await anInstallation(true)
  const gone = { ...own, connection: { ...own.connection, database: 'not_there' } }
  await expect(start(gone)).rejects.toThrow('not_there')
  expect(await folderPlace(files).read()).toBeNull()
})

test('a folder of before there were names is bound to the database that has accounts', async () => {
  await putFile()
  const own = await anInstallation(true)
  await start(own)
  expect(await folderPlace(files).read()).toBe(own.id)
})

test('a folder with files of before there were names is not bound to a new database', async () => {
  await putFile()
  await expect(start(await anInstallation(false))).rejects.toThrow(
    new RegExp(`The files in ${files} belong to another installation than this database.*DATA_DIR.*--adopt-data`),
  )
  expect(await folderPlace(files).read()).toBeNull()
})

test('a folder of before there were names whose files are all gone is bound to a new database', async () => {
  await putFile()
  await rm(join(files, '1', 'a'.repeat(64)))
  const own = await anInstallation(false)
  await start(own)
  expect(await folderPlace(files).read()).toBe(own.id)
})

test.each([true, false])(
  'a bound folder refuses another database (with accounts: %s) before it is touched',
  async (used) => {
    await start(await anInstallation(true))
    const bound = await folderPlace(files).read()
    const other = await anInstallation(used)
    await expect(refuseForeignFiles(other)).rejects.toThrow('belong to another installation')
    await expect(bindFiles(other)).rejects.toThrow('belong to another installation')
    expect(await folderPlace(files).read()).toBe(bound)
  },
)

test('whoever says so binds them anew', async () => {
  await start(await anInstallation(true))
  const other = await anInstallation(false)
  await start({ ...other, adopt: true })
  expect(await readFile(join(files, 'installation-id'), 'utf8')).toBe(`${other.id}\n`)
  await start(other)
})

test('a folder whose name was lost, as on a full disk, is bound only where that is said', async () => {
  await writeFile(join(files, 'installation-id'), '')
  const own = await anInstallation(true)
  await expect(start(own)).rejects.toThrow('--adopt-data')
  await start({ ...own, adopt: true })
  expect(await folderPlace(files).read()).toBe(own.id)
})
