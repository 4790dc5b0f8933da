import { randomUUID } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { ServerContext } from '../../context'
import { createJobs } from '../../jobs/createJobs'
import type { Database } from '../../storage/tables'

/** One source is trained. Its payload names the run, its key the source. */
export const TRAIN_SOURCE = 'train-source'
/** Sources of a project that are read and trained at once: a slow one leaves room for others, and they all leave room for other jobs. */
const AT_ONCE = 3

/**
 * Begins as many of a project's queued sources as there is room for. What was written by hand goes first: it takes a moment, and whoever
 * mends an answer doesn't wait for a site of thousands of pages. Call `createJobs(context).wake()` after the commit.
 */
export async function dispatch(
  context: Pick<ServerContext, 'db' | 'clock' | 'log'>,
  trx: Kysely<Database>,
  projectId: string,
): Promise<void> {
  // the row's lock: two at once would each see the same room
  await trx.selectFrom('projects').select('id').where('id', '=', projectId).forNoKeyUpdate().execute()
  const { count } = await trx
    .selectFrom('knowledge_sources')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('project_id', '=', projectId)
    .where('status', 'in', ['queued', 'reading', 'training'])
    .where('run', 'is not', null)
    .executeTakeFirstOrThrow()
  const room = AT_ONCE - Number(count)
  if (room <= 0) return
  const next = await trx
    .selectFrom('knowledge_sources')
    .select('id')
    .where('project_id', '=', projectId)
    .where('status', '=', 'queued')
    .where('run', 'is', null)
    .orderBy(sql`kind in ('link', 'document')`)
    .orderBy('queued_at')
    .orderBy('id')
    .limit(room)
    .forUpdate()
    .skipLocked()
    .execute()
  for (const { id } of next) {
    const run = randomUUID()
    await trx
      .updateTable('knowledge_sources')
      .set({ run })
      .where('project_id', '=', projectId)
      .where('id', '=', id)
      .execute()
    const payload = { source: id, run }
    await createJobs(context).schedule(trx, {
      kind: TRAIN_SOURCE,
      key: id,
      payload,
      runAt: context.clock(),
      projectId,
    })
  }
}
