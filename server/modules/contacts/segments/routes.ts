import type { FastifyInstance } from 'fastify'
import { registerRoute } from '../../../access/register'
import {
  type ContactConditions,
  createSegment,
  deleteSegment,
  listSegments,
  MOST_SEGMENTS,
  type Segment,
  updateSegment,
} from '../../../contracts/contactFilter'
import type { ServerContext } from '../../../platform/context'
import type { ProjectDb, ProjectWork } from '../../../platform/database/database'
import { ApiError, fieldError, isUniqueViolation } from '../../../platform/errors'
import { appendEvent } from '../../../platform/events/defineEvent'
import { segmentChanged, segmentDeleted } from '../events'
import { conditionOf, countMatching } from './readFilter'

interface Row {
  gid: string
  name: string
  filter: ContactConditions
}

/** Saved filters of a project's contacts. */
export function registerSegments(app: FastifyInstance, context: ServerContext): void {
  const { clock, ids } = context
  const counted = async (db: ProjectDb | ProjectWork, projectId: string, row: Row): Promise<Segment> => ({
    ...row,
    count: await countMatching({ db, projectId, now: clock() }, row.filter),
  })

  registerRoute(app, context, listSegments, async ({ caller: { db, project } }) => {
    const rows = await db.selectFrom('contact_segments').select(['gid', 'name', 'filter']).orderBy('name').execute()
    const segments: Segment[] = []
    for (const row of rows) segments.push(await counted(db, project.id, row))
    return { segments }
  })

  registerRoute(app, context, createSegment, ({ caller: { db, project }, body, origin }) =>
    namedOnce(() =>
      db.transaction().execute(async (work) => {
        await conditionOf({ db: work, projectId: project.id, now: clock() }, body.filter)
        const present = await work.selectFrom('contact_segments').select('id').execute()
        if (present.length >= MOST_SEGMENTS)
          throw new ApiError('conflict', { message: `A project has at most ${MOST_SEGMENTS} segments: delete some.` })
        const at = clock()
        const row = await work
          .insertInto('contact_segments')
          .values({
            ...{ gid: ids(), project_id: project.id, name: body.name, filter: JSON.stringify(body.filter) },
            ...{ created_at: at, updated_at: at },
          })
          .returning(['gid', 'name', 'filter'])
          .executeTakeFirstOrThrow()
        await appendEvent(work, segmentChanged, origin, { segment: row.gid })
        return { segment: await counted(work, project.id, row) }
      }),
    ),
  )

  registerRoute(app, context, updateSegment, ({ caller: { db, project }, params, body, origin }) =>
    namedOnce(() =>
      db.transaction().execute(async (work) => {
        await conditionOf({ db: work, projectId: project.id, now: clock() }, body.filter)
        const row = await work
          .updateTable('contact_segments')
          .set({ name: body.name, filter: JSON.stringify(body.filter), updated_at: clock() })
          .where('gid', '=', params.gid)
          .returning(['gid', 'name', 'filter'])
          .executeTakeFirst()
        if (!row) throw new ApiError('not_found')
        await appendEvent(work, segmentChanged, origin, { segment: row.gid })
        return { segment: await counted(work, project.id, row) }
      }),
    ),
  )

  registerRoute(app, context, deleteSegment, ({ caller: { db }, params, origin }) =>
    db.transaction().execute(async (work) => {
      const { numDeletedRows } = await work
        .deleteFrom('contact_segments')
        .where('gid', '=', params.gid)
        .executeTakeFirst()
      if (numDeletedRows === 0n) throw new ApiError('not_found')
      await appendEvent(work, segmentDeleted, origin, { segment: params.gid })
      return {}
    }),
  )
}

async function namedOnce<Result>(save: () => Promise<Result>): Promise<Result> {
  try {
    return await save()
  } catch (error) {
    if (isUniqueViolation(error)) throw fieldError('name', 'There is a segment of this name')
    throw error
  }
}
