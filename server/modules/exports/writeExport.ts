import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { Selectable } from 'kysely'
import { z } from 'zod'
import type { ServerContext } from '../../platform/context'
import type { ProjectDb } from '../../platform/database/database'
import { defineJob, type HandledJob } from '../../platform/jobs/defineJob'
import type { Row, Selection } from './sections/section'
import { sectionsOf } from './sections/sections'
import type { ExportsTable } from './tables'

/** Rows of a part, which is written at once. */
const PAGE = 1_000
/** Parts that one run of the job writes: then others of the project get their turn. */
const PAGES = 50
/** Columns of one table: what visitors' flows name differently in each version adds up. */
const MOST_COLUMNS = 500

const compress = promisify(gzip)

export const writeExport = defineJob('write-export', z.strictObject({ export: z.string() }))

/**
 * The job that makes an export. Each part is written together with the place where it goes on, so that after a crash
 * nothing is written twice and nothing is missing.
 */
export const exportWriter = ({ db, clock }: Pick<ServerContext, 'db' | 'clock'>): HandledJob =>
  writeExport.handledBy(async ({ export: gid }, { projectId }) => {
    if (projectId === null) return undefined
    const own = db.forProject(projectId)
    for (let page = 0; page < PAGES; page++) if ((await writePart(own, gid, clock())) === 'over') return undefined
    return clock()
  })

type Export = Selectable<ExportsTable>

/** @returns whether the export is complete, or gone */
async function writePart(own: ProjectDb, gid: string, at: Date): Promise<'over' | 'more'> {
  const row = await own.selectFrom('exports').selectAll().where('gid', '=', gid).executeTakeFirst()
  if (!row || row.status === 'done' || row.status === 'failed') return 'over'
  const selection = selectionOf(row)
  const sections = sectionsOf[row.kind]
  const section = sections[row.section]
  if (!section) return finish(own, row, at)
  if (row.status === 'waiting') await begin(own, row, selection)
  const { rows, cursor } = await section.page(own, selection, row.cursor, PAGE)
  const lines = rows.map((each) => `${JSON.stringify(each)}\n`).join('')
  const data = rows.length > 0 ? await compress(lines) : null
  const columns = { ...row.columns, [section.name]: columnsOf(row.columns[section.name] ?? section.columns, rows) }
  await own.transaction().execute(async (work) => {
    const { numUpdatedRows } = await work
      .updateTable('exports')
      .set({
        status: 'running',
        rows: row.rows + rows.length,
        bytes: Number(row.bytes) + (data?.length ?? 0),
        section: cursor === null ? row.section + 1 : row.section,
        cursor,
        columns: JSON.stringify(columns),
      })
      .where('id', '=', row.id)
      // another process that took the job over was faster
      .where('rows', '=', row.rows)
      .where('section', '=', row.section)
      .executeTakeFirst()
    if (numUpdatedRows === 0n || !data) return
    const last = await work
      .selectFrom('export_parts')
      .select(({ fn }) => fn.max('position').as('position'))
      .where('export_id', '=', row.id)
      .executeTakeFirst()
    const position = (last?.position ?? -1) + 1
    await work
      .insertInto('export_parts')
      .values({
        ...{ export_id: row.id, project_id: row.project_id, position },
        ...{ section: section.name, rows: rows.length, data },
      })
      .execute()
  })
  return 'more'
}

const selectionOf = ({ project_id, chatbot_id, first_day, last_day, filter, created_at }: Export): Selection => ({
  ...{ projectId: project_id, chatbotId: chatbot_id, from: first_day, to: last_day },
  ...{ filter, at: created_at },
})

/** Counts what there is, for the progress. */
async function begin(own: ProjectDb, row: Export, selection: Selection): Promise<void> {
  let total = 0
  for (const section of sectionsOf[row.kind]) total += await section.count(own, selection)
  await own.updateTable('exports').set({ total }).where('id', '=', row.id).execute()
}

async function finish(own: ProjectDb, row: Export, at: Date): Promise<'over'> {
  await own.updateTable('exports').set({ status: 'done', finished_at: at }).where('id', '=', row.id).execute()
  return 'over'
}

/** The columns so far, and those that these rows add. */
function columnsOf(before: readonly string[], rows: readonly Row[]): string[] {
  const columns = new Set(before)
  for (const row of rows) for (const name of Object.keys(row)) if (columns.size < MOST_COLUMNS) columns.add(name)
  return [...columns]
}
