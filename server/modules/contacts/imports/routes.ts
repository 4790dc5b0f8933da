import type { FastifyInstance } from 'fastify'
import type { Selectable } from 'kysely'
import { registerRoute } from '../../../access/register'
import {
  type ContactImport,
  checkContactImport,
  deleteContactImport,
  IMPORT_KEPT_DAYS,
  type ImportProblem,
  importCaps,
  listContactImports,
  readContactImport,
  startContactImport,
  uploadContactImport,
} from '../../../contracts/contactImports'
import type { ServerContext } from '../../../platform/context'
import type { ProjectDb, ProjectWork } from '../../../platform/database/database'
import { ApiError, fieldError } from '../../../platform/errors'
import { appendEvent } from '../../../platform/events/defineEvent'
import { readBody } from '../../../platform/http/fileBody'
import { runTask } from '../../../platform/workers/runTask'
import { contactImportChanged } from '../events'
import type { ContactImportsTable } from '../tables'
import { readContactsCsv } from '../tasks'
import { importContacts } from './importContacts'
import type { ParsedContacts } from './parseContactsCsv'

const DAY = 86_400_000
const begun = { position: 0, processed: 0, created: 0, updated: 0, skipped: 0 } as const

/** Contacts from CSV files: parsed, checked, then written by a job. */
export function registerContactImports(app: FastifyInstance, context: ServerContext): void {
  const { clock, ids, jobs } = context

  app.register(async (scope) => {
    // the body is the file: an unauthorized upload is refused before a byte is read
    scope.addContentTypeParser('*', (_, body, done) => done(null, body))

    registerRoute(scope, context, uploadContactImport, async ({ caller, query, body, origin }) => {
      const { db, project, user } = caller
      const parsed = await runTask(readContactsCsv, await bytesOf(body), { owner: project.id })
      if ('problem' in parsed) throw fieldError('file', parsed.problem)
      const row = await db.transaction().execute(async (work) => {
        await refuseTooMany(work)
        const saved = await save(work, parsed, {
          ...{ gid: ids(), project_id: project.id, name: query.name, created_by: user.id, created_at: clock() },
          expires_at: new Date(clock().getTime() + IMPORT_KEPT_DAYS * DAY),
        })
        await appendEvent(work, contactImportChanged, origin, { import: saved.gid, status: 'parsed' })
        return saved
      })
      return { import: present(row) }
    })
  })

  registerRoute(app, context, listContactImports, async ({ caller: { db } }) => {
    const rows = await db
      .selectFrom('contact_imports')
      .selectAll()
      .orderBy('id', 'desc')
      .limit(importCaps.kept)
      .execute()
    return { imports: rows.map(present) }
  })

  registerRoute(app, context, readContactImport, async ({ caller: { db }, params }) => {
    const row = await find(db, params.gid)
    const problems = await db
      .selectFrom('contact_import_lines')
      .select(['line', 'column', 'value', 'message'])
      .where('import_id', '=', row.id)
      .where('message', 'is not', null)
      .orderBy('line')
      .limit(importCaps.problems)
      .execute()
    return { import: present(row), problems: problems as ImportProblem[] }
  })

  registerRoute(app, context, checkContactImport, async ({ caller: { db, project }, params, body, origin }) => {
    const row = await db.transaction().execute(async (work) => {
      const found = await find(work, params.gid)
      if (found.status === 'running' || found.status === 'done') throw tooLate()
      if (body.columns.length !== found.columns.length)
        throw fieldError('columns', `The file has ${found.columns.length} columns`)
      await forgetLines(work, found.id)
      const changed = await begin(work, found.id, 'checking', JSON.stringify(body))
      await appendEvent(work, contactImportChanged, origin, { import: params.gid, status: 'checking' })
      await scheduleJob(work, project.id, params.gid)
      return changed
    })
    jobs.wake()
    return { import: present(row) }
  })

  registerRoute(app, context, startContactImport, async ({ caller: { db, project }, params, origin }) => {
    const row = await db.transaction().execute(async (work) => {
      const found = await find(work, params.gid)
      if (found.status !== 'checked') throw tooLate()
      await forgetLines(work, found.id)
      const changed = await begin(work, found.id, 'running')
      await appendEvent(work, contactImportChanged, origin, { import: params.gid, status: 'running' })
      await scheduleJob(work, project.id, params.gid)
      return changed
    })
    jobs.wake()
    return { import: present(row) }
  })

  registerRoute(app, context, deleteContactImport, ({ caller: { db }, params, origin }) =>
    db.transaction().execute(async (work) => {
      const { numDeletedRows } = await work
        .deleteFrom('contact_imports')
        .where('gid', '=', params.gid)
        .executeTakeFirst()
      if (numDeletedRows === 0n) throw new ApiError('not_found')
      await appendEvent(work, contactImportChanged, origin, { import: params.gid, status: 'deleted' })
      return {}
    }),
  )

  const scheduleJob = (work: ProjectWork, projectId: string, gid: string) =>
    jobs.schedule(work, importContacts, { payload: { import: gid }, runAt: clock(), projectId, key: gid })
}

const tooLate = () => new ApiError('conflict', { message: 'This import was not checked, or has begun already.' })

async function bytesOf(body: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const tooLarge = () => fieldError('file', `A file may have ${importCaps.bytes / 1_000_000} MB. Import it in parts.`)
  const { bytes } = await readBody(body, { head: 0, cap: importCaps.bytes, tooLarge })
  const parts: Uint8Array[] = []
  for await (const part of bytes) parts.push(part)
  return new Uint8Array(Buffer.concat(parts))
}

async function find(db: ProjectDb | ProjectWork, gid: string): Promise<Selectable<ContactImportsTable>> {
  const row = await db.selectFrom('contact_imports').selectAll().where('gid', '=', gid).executeTakeFirst()
  if (!row) throw new ApiError('not_found')
  return row
}

async function refuseTooMany(work: ProjectWork): Promise<void> {
  const rows = await work.selectFrom('contact_imports').select('id').execute()
  if (rows.length >= importCaps.kept)
    throw new ApiError('conflict', { message: `A project keeps at most ${importCaps.kept} imports: delete some.` })
}

/** What the file itself has wrong stays; what came of a mapping goes. */
const forgetLines = (work: ProjectWork, importId: string) =>
  work.deleteFrom('contact_import_lines').where('import_id', '=', importId).where('of_file', '=', false).execute()

/** Counts from the beginning, with the lines that the file itself has wrong. */
const begin = (work: ProjectWork, importId: string, status: 'checking' | 'running', mapping?: string) =>
  work
    .updateTable('contact_imports')
    .set(({ selectFrom }) => ({
      ...begun,
      status,
      ...(mapping !== undefined && { mapping }),
      refused: selectFrom('contact_import_lines')
        .select(({ fn, cast }) => cast<number>(fn.countAll(), 'integer').as('count'))
        .where('import_id', '=', importId)
        .where('of_file', '=', true),
    }))
    .where('id', '=', importId)
    .returningAll()
    .executeTakeFirstOrThrow()

type NewImport = Pick<
  Selectable<ContactImportsTable>,
  'gid' | 'project_id' | 'name' | 'created_by' | 'created_at' | 'expires_at'
>

async function save(work: ProjectWork, { parts, wrong, ...parsed }: ParsedContacts, row: NewImport) {
  const { encoding, separator, rows } = parsed
  const saved = await work
    .insertInto('contact_imports')
    .values({
      ...row,
      status: 'parsed',
      encoding,
      separator,
      rows,
      columns: JSON.stringify(parsed.columns),
      refused: wrong.length,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  const of = { import_id: saved.id, project_id: saved.project_id }
  for (const [position, data] of parts.entries())
    await work
      .insertInto('contact_import_parts')
      .values({ ...of, position, data: Buffer.from(data) })
      .execute()
  const lines = [...new Map(wrong.map((each) => [each.line, each])).values()].slice(0, importCaps.problems)
  if (lines.length > 0)
    await work
      .insertInto('contact_import_lines')
      .values(lines.map(({ line, message }) => ({ ...of, line, message, of_file: true })))
      .execute()
  return saved
}

const present = (row: Selectable<ContactImportsTable>): ContactImport => ({
  ...{ gid: row.gid, name: row.name, status: row.status, encoding: row.encoding, separator: row.separator },
  ...{ columns: row.columns, rows: row.rows, mapping: row.mapping, processed: row.processed },
  ...{ created: row.created, updated: row.updated, skipped: row.skipped, refused: row.refused },
  created_at: row.created_at.toISOString(),
  finished_at: row.finished_at?.toISOString() ?? null,
})
