import { randomUUID } from 'node:crypto'
import { link, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import type { Connection } from './database'
import { StartError } from './startError'

/** Names the installation whose files a folder holds. It lies with them, so that it goes where they go. */
const NAME_FILE = 'installation-id'
/** A project's folder. */
const AREA = /^\d+$/
const UNKNOWN_TABLE = '42P01'
const UNKNOWN_COLUMN = '42703'

export interface Binding {
  connection: Connection
  /** where the uploaded files lie */
  files: string
  /** how messages name the database */
  database: string
  /** binds the two although they were not bound to each other, since a person says so */
  adopt: boolean
}

/**
 * Before anything is written into the database: is it the one whose files these are?
 * @throws StartError when the folder is bound to another database (an empty one, too), with the remedy
 */
export async function refuseForeignFiles({ connection, files, database, adopt }: Binding): Promise<void> {
  const bound = await installationOf(files)
  if (bound === null || adopt) return
  if (bound !== (await ask(connection)).id) throw foreign(files, database)
}

/**
 * After the migrations: binds a folder that belongs to nobody yet. One that holds files already came from a Parley that did not bind
 * them: it is this database's, unless that is new and can't name them.
 * @throws StartError as above
 */
export async function bindFiles({ connection, files, database, adopt }: Binding): Promise<void> {
  const { id, used } = await ask(connection)
  if (id === null) throw new Error('The database does not name its installation')
  const bound = await installationOf(files)
  if (bound === id) return
  const claimed = bound !== null || (!used && (await holdsFiles(files)))
  if (claimed && !adopt) throw foreign(files, database)
  if (!(await writeName(files, id, adopt))) throw foreign(files, database)
}

/** @returns the installation that a folder of files is bound to; null: none yet */
export async function installationOf(files: string): Promise<string | null> {
  try {
    return (await readFile(join(files, NAME_FILE), 'utf8')).trim() || null
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/** `id` null: no Parley's database, or one of before installations had names; `used`: somebody has an account there. */
async function ask(connection: Connection): Promise<{ id: string | null; used: boolean }> {
  const client = new pg.Client(connection)
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<{ id: string; used: boolean }>(
      'SELECT bus_name AS id, EXISTS (SELECT FROM users) AS used FROM installation',
    )
    return rows[0] ?? { id: null, used: false }
  } catch (error) {
    const { code } = error as { code?: string }
    if (code === UNKNOWN_TABLE || code === UNKNOWN_COLUMN) return { id: null, used: false }
    throw error
  } finally {
    await client.end().catch(() => {})
  }
}

async function holdsFiles(files: string): Promise<boolean> {
  for (const name of await readdir(files).catch(() => [])) {
    if (AREA.test(name) && (await readdir(join(files, name))).length > 0) return true
  }
  return false
}

/** @returns false when another database's process was quicker */
async function writeName(files: string, id: string, replace: boolean): Promise<boolean> {
  await mkdir(files, { recursive: true })
  const path = join(files, NAME_FILE)
  const fresh = `${path}-${randomUUID()}`
  await writeFile(fresh, `${id}\n`)
  try {
    // a name appears complete, and a second one does not take its place
    if (replace) await rename(fresh, path)
    else await link(fresh, path)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return (await installationOf(files)) === id
    throw error
  } finally {
    await rm(fresh, { force: true })
  }
}

function foreign(files: string, database: string): StartError {
  return new StartError(
    `The files in ${files} belong to another installation than ${database}, which would delete them as unused: set DATA_DIR or ` +
      'DATABASE_URL to the one they belong to. If they do belong together, start once with: npm start -- --adopt-data',
  )
}
