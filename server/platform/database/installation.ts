import pg from 'pg'
import type { FilesPlace } from '../files/place'
import type { Connection } from './database'
import { StartError } from './startError'

const UNKNOWN_TABLE = '42P01'
const UNKNOWN_COLUMN = '42703'

export interface Binding {
  connection: Connection
  /** where the uploaded files lie */
  files: FilesPlace
  /** the database's name in messages */
  database: string
  /** binds the two although they belong to different installations, because the operator said so */
  adopt: boolean
}

/**
 * Checks, before anything is written into the database, that it belongs to these files.
 * @throws StartError with the remedy if their place is bound to another database (even an empty one)
 */
export async function refuseForeignFiles({ connection, files, database, adopt }: Binding): Promise<void> {
  const bound = await files.read()
  if (bound === null || adopt) return
  if (bound !== (await ask(connection)).id) throw foreign(files, database)
}

/**
 * After the migrations: binds a place that is not bound yet. If it already contains files, they come from a Parley
 * that did not bind them: they belong to this database unless it is new.
 * @throws StartError as above
 */
export async function bindFiles({ connection, files, database, adopt }: Binding): Promise<void> {
  const { id, used } = await ask(connection)
  if (id === null) throw new Error('The database does not name its installation')
  const bound = await files.read()
  if (bound === id) return
  const claimed = bound !== null || (!used && (await files.holdsFiles()))
  if (claimed && !adopt) throw foreign(files, database)
  if (!(await files.write(id, adopt))) throw foreign(files, database)
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

function foreign(files: FilesPlace, database: string): StartError {
  return new StartError(
    `The files in ${files.name} belong to another installation than ${database}, which would delete them as unused: set DATA_DIR or ` +
      'DATABASE_URL to the one they belong to. If they do belong together, start once with: npm start -- --adopt-data',
  )
}
