import { type RawBuilder, sql } from 'kysely'
import type { ContactConditions } from '../../../contracts/contactFilter'
import type { ProjectDb } from '../../../platform/database/database'

/** A value of a cell. */
export type Cell = string | number | boolean | null
/** A row by the names of its columns. */
export type Row = Record<string, Cell>

/** Whose rows are exported. */
export interface Selection {
  projectId: string
  /** null: of all chatbots */
  chatbotId: string | null
  /** days in UTC, inclusive; null: without a bound */
  from: string | null
  to: string | null
  /** of contacts; null: all */
  filter: ContactConditions | null
  /** when it was asked for: what days ago are counted from */
  at: Date
}

export interface Page {
  rows: Row[]
  /** of its last row; null: it was the last page */
  cursor: string | null
}

/** A table of an export. Its pages follow each other by key: any number of rows takes the memory of one page. */
export interface Section {
  name: string
  /** those that all rows have; rows may have more */
  columns: readonly string[]
  count(db: ProjectDb, selection: Selection): Promise<number>
  /** the rows after the cursor, by a key that never changes; null: from the beginning */
  page(db: ProjectDb, selection: Selection, cursor: string | null, limit: number): Promise<Page>
}

/** The condition that a moment is in the selection's days. */
export const isSelected = (moment: RawBuilder<unknown>, { from, to }: Selection) => sql<boolean>`
  ${from === null ? sql`true` : sql`${moment} >= ${from}::date::timestamp at time zone 'utc'`}
  and ${to === null ? sql`true` : sql`${moment} < (${to}::date + 1)::timestamp at time zone 'utc'`}`

/** The condition that a row is of the project, and of the chatbot if one is selected. */
export const isOwn = (alias: string, { projectId, chatbotId }: Selection) => sql<boolean>`
  ${sql.ref(`${alias}.project_id`)} = ${projectId}
  and ${chatbotId === null ? sql`true` : sql`${sql.ref(`${alias}.chatbot_id`)} = ${chatbotId}`}`

/** A page of rows read with one more than its limit. @param keyOf the cursor of a row */
export function pageOf<Read>(
  read: readonly Read[],
  limit: number,
  keyOf: (row: Read) => string,
  present: (row: Read) => Row,
): Page {
  const rows = read.slice(0, limit)
  const last = rows.at(-1)
  return { rows: rows.map(present), cursor: read.length > limit && last ? keyOf(last) : null }
}

export const countOf = async (db: ProjectDb, from: RawBuilder<unknown>): Promise<number> => {
  const { rows } = await sql<{ count: string }>`select count(*) as count from ${from}`.execute(db)
  return Number(rows[0]?.count ?? 0)
}
