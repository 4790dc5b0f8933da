import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { ProjectDb } from '../../../platform/database/database'
import { inSlices } from '../../../platform/jobs/inSlices'
import type { Row } from '../sections/section'

const expand = promisify(gunzip)

/** A table of an export, whose rows are read while it is downloaded. */
export interface Table {
  name: string
  columns: readonly string[]
  /** batches of rows */
  read(): AsyncGenerator<Row[]>
}

interface Stored {
  id: string
  columns: Readonly<Record<string, readonly string[]>>
}

/** The tables of an export that is complete; those without rows as well. */
export async function tablesOf(own: ProjectDb, { id, columns }: Stored): Promise<Table[]> {
  const parts = await own
    .selectFrom('export_parts')
    .select(['section', 'position'])
    .where('export_id', '=', id)
    .orderBy('position')
    .execute()
  return Object.entries(columns).map(([name, names]) => ({
    name,
    columns: names,
    async *read() {
      for (const { section, position } of parts) {
        if (section !== name) continue
        const part = await own
          .selectFrom('export_parts')
          .select('data')
          .where('export_id', '=', id)
          .where('position', '=', position)
          .executeTakeFirst()
        if (!part) throw new Error('The export was deleted while it was downloaded.')
        yield await inSlices(parse((await expand(part.data)).toString('utf8')))
      }
    },
  }))
}

function* parse(lines: string): Generator<void, Row[]> {
  const rows: Row[] = []
  for (const line of lines.split('\n')) {
    if (line !== '') rows.push(JSON.parse(line) as Row)
    yield
  }
  return rows
}
