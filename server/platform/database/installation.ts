import { randomUUID } from 'node:crypto'
import { link, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import type { Connection } from './database'
import { StartError } from './startError'

/** Names the installation that a folder of files belongs to. It lies among the files, so that copies contain it. */
const NAME_FILE = 'installation-id'
/** A project's folder. */
const AREA = /^\d+$/
const UNKNOWN_TABLE = '42P01'
const UNKNOWN_COLUMN = '42703'

export interface Binding {
  connection: Connection
  /** folder of the uploaded files */
  files: string
  /** the database's name in messages */
  database: string
  /** binds the two although they belong to different installations, because the operator said so */
  adopt: boolean
}

/**
 * Checks, before anything is written into the database, that it belongs to these files.
 * @throws StartError with the remedy if the folder is bound to another database (even an empty one)
 */
export async function refuseForeignFiles({ connection, files, database, adopt }: Binding): Promise<void> {
  const bound = await installationOf(files)
  if (bound === null || adopt) return
  if (bound !== (await ask(connection)).id) throw foreign(files, database)
}

/**
 * After the migrations: binds a folder that is not bound yet. If it already contains files, they come from a Parley
 * that did not bind them: they belong to this database unless it is new.
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

/** @returns the installation that a folder of files is bound to; null: none */
export async function installationOf(files: string): Promise<string | null> {
  try {
    return (await readFile(join(files, NAME_FILE), 'utf8')).trim() || null
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/** `id` null: not a Parley database, or one from before installations had names; `used`: it has an account. */
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

/** @returns false if another database's process was faster */
async function writeName(files: string, id: string, replace: boolean): Promise<boolean> {
  await mkdir(files, { recursive: true })
  const path = join(files, NAME_FILE)
  const fresh = `${path}-${randomUUID()}`
  await writeFile(fresh, `${id}\n`)
  try {
    // a name appears completely, and a second one does not replace it
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
