import { sql } from 'kysely'
import type { Db } from '../../server/platform/database/database'

/** All rows of all tables as text, one per line, with bytes also decoded. */
export async function tableDump(db: Db): Promise<string> {
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'
  `.execute(db)
  const texts: string[] = []
  for (const { name } of rows) {
    const all = await sql<{ row: string }>`select t::text as row from ${sql.table(name)} as t`.execute(db)
    for (const { row } of all.rows) {
      texts.push(`${name}: ${row}`)
      // bytes are printed as hexadecimal
      for (const [, hex = ''] of row.matchAll(/\\x((?:[0-9a-f]{2})+)/g)) texts.push(Buffer.from(hex, 'hex').toString())
    }
  }
  return texts.join('\n')
}
