import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { StartError } from '../database/startError'
import { foreignKeysOf, tablesOf } from './catalogue'
import { type ExportedTable, type ExportManifest, partOf } from './exportManifest'

export type OnTable = (table: Pick<ExportedTable, 'name' | 'rows'>) => void

/**
 * Replaces all rows by those of an export, in one transaction. Foreign keys are taken away meanwhile and compared with
 * all rows when they come back, since tables point at each other; triggers rest: what they write is in the export.
 * Both needs no more than to own the tables.
 * @throws StartError if the rows are not those that the tables can hold
 */
export async function loadTables(
  client: pg.Client,
  folder: string,
  manifest: ExportManifest,
  onTable: OnTable,
): Promise<void> {
  const tables = await tablesOf(client)
  refuseOthers(tables, manifest.tables)
  const quoted = (name: string) => client.escapeIdentifier(name)
  const keys = await foreignKeysOf(client)
  await client.query('begin')
  try {
    for (const { table, name } of keys)
      await client.query(`alter table ${quoted(table)} drop constraint ${quoted(name)}`)
    for (const { name } of tables) await client.query(`alter table ${quoted(name)} disable trigger user`)
    await client.query(`truncate ${tables.map(({ name }) => quoted(name)).join(', ')}`)
    for (const { name, columns, rows } of manifest.tables) {
      const copy = client.query(copyFrom(`copy ${quoted(name)} (${columns.map(quoted).join(', ')}) from stdin`))
      await pipeline(createReadStream(join(folder, partOf(name))), createGunzip(), copy)
      if (copy.rowCount !== rows)
        throw new StartError(`${partOf(name)} has ${copy.rowCount} rows, and ${rows} were written: use another export`)
      onTable({ name, rows })
    }
    for (const { name, last } of manifest.sequences)
      await client.query('select setval($1::regclass, $2::bigint)', [quoted(name), last])
    // another server's transaction numbers begin anew: the next start begins a new run of events (events/epoch.ts)
    await client.query('update installation set event_server = 0')
    await client.query('set constraints all immediate')
    for (const { name } of tables) await client.query(`alter table ${quoted(name)} enable trigger user`)
    for (const { table, name, definition } of keys)
      await client.query(`alter table ${quoted(table)} add constraint ${quoted(name)} ${definition}`)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => {})
    if (!(error instanceof pg.DatabaseError)) throw error
    const where = error.table ? ` in ${error.table}` : ''
    throw new StartError(`The rows can't be taken${where}: ${error.message}`, { cause: error })
  }
  // without figures of what is where, the first requests would read whole tables
  await client.query('analyze')
}

/** The names in statements are the database's own. */
function refuseOthers(own: readonly { name: string; columns: string[] }[], given: readonly ExportedTable[]): void {
  const spell = (list: typeof own) =>
    list.map(({ name, columns }) => `${name}(${columns.toSorted().join()})`).toSorted()
  const there = spell(own)
  const other = spell(given).find((each, at) => each !== there[at])
  if (other || own.length !== given.length)
    throw new StartError(`The export has other tables than this Parley${other ? `: ${other.split('(')[0]}` : ''}`)
}
