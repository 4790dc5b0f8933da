import type { FastifyInstance } from 'fastify'
import type { ProjectCaller } from '../../access/access'
import { chatbotOf } from '../../access/chatbots'
import { registerRoute } from '../../access/register'
import { isAllowed } from '../../access/roles'
import {
  createExport,
  deleteExport,
  downloadExport,
  type ExportEntry,
  type ExportKind,
  exportFeatures,
  exportKinds,
  KEPT_DAYS,
  listExports,
  MOST_KEPT,
  MOST_RUNNING,
} from '../../contracts/exports'
import type { ServerContext } from '../../platform/context'
import type { ProjectDb } from '../../platform/database/database'
import { ApiError } from '../../platform/errors'
import { appendEvent } from '../../platform/events/defineEvent'
import { disposition } from '../../platform/files/disposition'
import { segmentFilter } from '../contacts/segments/readFilter'
import { exportCreated, exportDeleted } from './events'
import { downloadOf } from './formats/download'
import { tablesOf } from './formats/parts'
import { writeExport } from './writeExport'

const DAY = 86_400_000

/** The kinds of exports that the caller may have. */
const kindsOf = ({ roles }: ProjectCaller): ExportKind[] =>
  exportKinds.filter((kind) => isAllowed(roles, exportFeatures[kind]))

/** @param count brings figures, results and leads of a project up to date */
export function registerExports(
  app: FastifyInstance,
  context: ServerContext,
  count: (projectId: string) => Promise<void>,
): void {
  const { clock, ids, jobs } = context

  registerRoute(app, context, listExports, async ({ caller }) => ({
    exports: (await shown(caller).orderBy('exports.id', 'desc').limit(MOST_KEPT).execute()).map(present),
  }))

  registerRoute(app, context, createExport, async ({ caller, caller: { db, project, user }, body, origin }) => {
    const { kind, from, to } = body
    if (!kindsOf(caller).includes(kind)) throw new ApiError('forbidden')
    if (from !== undefined && to !== undefined && from > to)
      throw new ApiError('invalid', { fields: { to: `The last day (${to}) is before the first (${from}).` } })
    const chatbot = body.chatbot === undefined ? null : await chatbotOf(db, project.id, body.chatbot)
    if (body.segment !== undefined && kind !== 'contacts')
      throw new ApiError('invalid', { fields: { segment: 'Only contacts have segments.' } })
    const filter = body.segment === undefined ? null : await segmentFilter({ db, projectId: project.id }, body.segment)
    await refuseTooMany(db)
    await count(project.id)
    const at = clock()
    const gid = ids()
    await db.transaction().execute(async (work) => {
      await work
        .insertInto('exports')
        .values({
          ...{ gid, project_id: project.id, chatbot_id: chatbot?.id ?? null, kind, created_by: user.id },
          ...{ first_day: from ?? null, last_day: to ?? null, created_at: at },
          filter: filter && JSON.stringify(filter),
          expires_at: new Date(at.getTime() + KEPT_DAYS * DAY),
        })
        .execute()
      await appendEvent(work, exportCreated, origin, { export: gid, kind })
      await jobs.schedule(work, writeExport, { payload: { export: gid }, runAt: at, projectId: project.id, key: gid })
    })
    jobs.wake()
    return { export: present(await shown(caller).where('exports.gid', '=', gid).executeTakeFirstOrThrow()) }
  })

  registerRoute(app, context, downloadExport, async ({ caller, caller: { db }, params, query: { format }, reply }) => {
    const row = await db
      .selectFrom('exports')
      .select(['id', 'kind', 'status', 'columns', 'created_at'])
      .where('gid', '=', params.gid)
      .where('kind', 'in', kindsOf(caller))
      .executeTakeFirst()
    if (!row) throw new ApiError('not_found')
    if (row.status !== 'done') throw new ApiError('conflict', { message: 'This export is not ready yet.' })
    const { extension, type, bytes } = downloadOf(await tablesOf(db, row), format)
    const name = `${row.kind}-${row.created_at.toISOString().slice(0, 10)}.${extension}`
    reply.headers({
      'content-type': type,
      'content-disposition': disposition('attachment', name),
      'x-content-type-options': 'nosniff',
    })
    return reply.send(bytes)
  })

  registerRoute(app, context, deleteExport, async ({ caller, caller: { db }, params, origin }) => {
    await db.transaction().execute(async (work) => {
      const gone = await work
        .deleteFrom('exports')
        .where('gid', '=', params.gid)
        .where('kind', 'in', kindsOf(caller))
        .returning('kind')
        .executeTakeFirst()
      if (!gone) throw new ApiError('not_found')
      await appendEvent(work, exportDeleted, origin, { export: params.gid, kind: gone.kind })
    })
    return {}
  })
}

async function refuseTooMany(db: ProjectDb): Promise<void> {
  const rows = await db.selectFrom('exports').select('status').execute()
  const running = rows.filter(({ status }) => status === 'waiting' || status === 'running')
  if (running.length >= MOST_RUNNING)
    throw new ApiError('conflict', { message: `${MOST_RUNNING} exports are being made: wait until one is ready.` })
  if (rows.length >= MOST_KEPT)
    throw new ApiError('conflict', { message: `A project keeps at most ${MOST_KEPT} exports: delete some.` })
}

const shown = (caller: ProjectCaller) =>
  caller.db
    .selectFrom('exports')
    .leftJoin('chatbots', (join) =>
      join
        .onRef('chatbots.id', '=', 'exports.chatbot_id')
        .onRef('chatbots.project_id', '=', 'exports.project_id')
        .on('chatbots.deleting_since', 'is', null),
    )
    .leftJoin('users', 'users.id', 'exports.created_by')
    .select(['exports.gid', 'exports.kind', 'exports.status', 'exports.total', 'exports.rows', 'exports.bytes'])
    .select([
      'exports.first_day',
      'exports.last_day',
      'exports.created_at',
      'exports.finished_at',
      'exports.expires_at',
    ])
    .select(['chatbots.gid as chatbot_gid', 'chatbots.name as chatbot_name', 'users.first_name', 'users.last_name'])
    .where('exports.kind', 'in', kindsOf(caller))

type Shown = Awaited<ReturnType<ReturnType<typeof shown>['executeTakeFirstOrThrow']>>

const present = (row: Shown): ExportEntry => ({
  gid: row.gid,
  kind: row.kind,
  chatbot: row.chatbot_gid === null ? null : { gid: row.chatbot_gid, name: row.chatbot_name ?? '' },
  from: row.first_day,
  to: row.last_day,
  status: row.status,
  total: row.total,
  rows: row.rows,
  bytes: Number(row.bytes),
  by: row.first_name === null ? null : `${row.first_name} ${row.last_name ?? ''}`.trim(),
  created_at: row.created_at.toISOString(),
  finished_at: row.finished_at?.toISOString() ?? null,
  expires_at: row.expires_at.toISOString(),
})
