import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { type Selectable, sql } from 'kysely'
import { z } from 'zod'
import { importCaps } from '../../../contracts/contactImports'
import type { ServerContext } from '../../../platform/context'
import type { ProjectDb, ProjectWork } from '../../../platform/database/database'
import { appendEvent } from '../../../platform/events/defineEvent'
import { defineJob, type HandledJob } from '../../../platform/jobs/defineJob'
import { contactsImported } from '../events'
import { ownFieldsOf } from '../fields/ownFields'
import type { ContactImportsTable } from '../tables'
import type { ImportRow } from './parseContactsCsv'
import { type ImportedContact, type RefusedRow, type RowContext, readRow } from './readRow'
import { type Written, writeContacts } from './writeContacts'

/** Parts that one run of the job works on: then others of the project get their turn. */
const PARTS = 20

const decompress = promisify(gunzip)

export const importContacts = defineJob('import-contacts', z.strictObject({ import: z.string() }))

type Context = Pick<ServerContext, 'db' | 'clock' | 'ids'>
type Import = Selectable<ContactImportsTable>

/**
 * The job of a dry run and of an import, which read each row alike; the dry run writes no contact. A part's contacts
 * are written together with the place where it goes on: after a crash each row is there once.
 */
export const contactImporter = (context: Context): HandledJob =>
  importContacts.handledBy(async ({ import: gid }, { projectId }) => {
    if (projectId === null) return undefined
    const own = context.db.forProject(projectId)
    for (let part = 0; part < PARTS; part++) if ((await importPart(own, context, gid)) === 'over') return undefined
    return context.clock()
  })

async function importPart(own: ProjectDb, context: Context, gid: string): Promise<'over' | 'more'> {
  return own.transaction().execute(async (work) => {
    const row = await work
      .selectFrom('contact_imports')
      .selectAll()
      .where('gid', '=', gid)
      .forUpdate()
      .executeTakeFirst()
    if (!row?.mapping || (row.status !== 'checking' && row.status !== 'running')) return 'over'
    const part = await work
      .selectFrom('contact_import_parts')
      .select('data')
      .where('import_id', '=', row.id)
      .where('position', '=', row.position)
      .executeTakeFirst()
    if (!part) return finish(work, context, row)
    // written by our own thread, in parts that take a few milliseconds
    const rows = JSON.parse((await decompress(part.data)).toString()) as ImportRow[]
    const { mapping } = row
    const read: RowContext = { mapping, columns: row.columns, own: await ownFieldsOf(work, row.project_id) }
    const results = rows.map((each) => readRow(each, read))
    const refused = results.filter((each): each is RefusedRow => 'message' in each)
    const { fresh, doubles } = await withoutDoubles(
      work,
      row,
      results.filter((each): each is ImportedContact => !('message' in each)),
    )
    const written = await writeContacts(work, context, { row, mapping, contacts: fresh })
    const wrong = [...refused, ...doubles, ...written.refused]
    await noteProblems(work, row, wrong)
    await advance(work, row, rows.length, { ...written, refused: wrong })
    return 'more'
  })
}

const hashOf = (key: string): Buffer => createHash('sha256').update(key).digest()

/** Refuses who stands in an earlier line of the file, and remembers the others. */
async function withoutDoubles(work: ProjectWork, row: Import, contacts: readonly ImportedContact[]) {
  const keyed = contacts.flatMap(({ key, line }) => (key === null ? [] : [{ key: hashOf(key), line }]))
  const seen = new Map<string, number>()
  if (keyed.length > 0) {
    const before = await work
      .selectFrom('contact_import_lines')
      .select(['key', 'line'])
      .where('import_id', '=', row.id)
      .where(
        'key',
        'in',
        keyed.map(({ key }) => key),
      )
      .execute()
    for (const { key, line } of before) if (key) seen.set(key.toString('hex'), line)
  }
  const fresh: ImportedContact[] = []
  const doubles: RefusedRow[] = []
  const lines: { import_id: string; project_id: string; line: number; key: Buffer }[] = []
  for (const contact of contacts) {
    const hash = contact.key === null ? null : hashOf(contact.key)
    const first = hash && seen.get(hash.toString('hex'))
    if (first) {
      const message = `The same person stands in line ${first}: keep one of the lines.`
      doubles.push({ line: contact.line, column: null, value: contact.key, message })
      continue
    }
    fresh.push(contact)
    if (!hash) continue
    seen.set(hash.toString('hex'), contact.line)
    lines.push({ import_id: row.id, project_id: row.project_id, line: contact.line, key: hash })
  }
  if (lines.length > 0) await work.insertInto('contact_import_lines').values(lines).execute()
  return { fresh, doubles }
}

/** The first problems are kept line by line; all are counted. */
async function noteProblems(work: ProjectWork, row: Import, wrong: readonly RefusedRow[]): Promise<void> {
  const kept = wrong.slice(0, Math.max(importCaps.problems - row.refused, 0))
  if (kept.length === 0) return
  await work
    .insertInto('contact_import_lines')
    .values(kept.map((problem) => ({ import_id: row.id, project_id: row.project_id, ...problem })))
    .onConflict((again) =>
      again.columns(['import_id', 'line']).doUpdateSet(({ ref }) => ({
        ...{ column: ref('excluded.column'), value: ref('excluded.value'), message: ref('excluded.message') },
      })),
    )
    .execute()
}

async function advance(work: ProjectWork, row: Import, rows: number, written: Written): Promise<void> {
  await work
    .updateTable('contact_imports')
    .set({
      position: row.position + 1,
      processed: row.processed + rows,
      created: row.created + written.created,
      updated: row.updated + written.updated,
      skipped: row.skipped + written.skipped,
      refused: row.refused + written.refused.length,
    })
    .where('id', '=', row.id)
    .execute()
}

async function finish(work: ProjectWork, { clock }: Context, row: Import): Promise<'over'> {
  const isCheck = row.status === 'checking'
  const at = clock()
  await work
    .updateTable('contact_imports')
    .set(isCheck ? { status: 'checked' } : { status: 'done', finished_at: at })
    .where('id', '=', row.id)
    .execute()
  if (isCheck) return 'over'
  // the rows are written: what was in the file is not kept twice
  await work.deleteFrom('contact_import_parts').where('import_id', '=', row.id).execute()
  await work.deleteFrom('contact_import_lines').where('import_id', '=', row.id).where('message', 'is', null).execute()
  const by = { actor: 'system' } as const
  const { created, updated } = row
  const told = { projectId: row.project_id, by, correlation: row.gid, at }
  await appendEvent(work, contactsImported, told, { import: row.gid, created, updated })
  return 'over'
}

/** Deletes imports that have expired, and says of which the job was given up. */
export async function forgetImports({ db, clock }: Pick<ServerContext, 'db' | 'clock'>): Promise<void> {
  await sql`update contact_imports set status = 'failed', finished_at = ${clock()} from jobs
    where jobs.kind = ${importContacts.kind} and jobs.key = contact_imports.gid
      and jobs.project_id = contact_imports.project_id and jobs.failed_at is not null
      and contact_imports.status in ('checking', 'running')`.execute(db)
  await db.deleteFrom('contact_imports').where('expires_at', '<=', clock()).execute()
}
