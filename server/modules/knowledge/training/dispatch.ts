import { randomUUID } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { z } from 'zod'
import type { ServerContext } from '../../../platform/context'
import type { Database } from '../../../platform/database/tables'
import { defineJob } from '../../../platform/jobs/defineJob'

/** A training run: of one link or document, or of many entries and texts. Its key is the run's name. */
export const train = defineJob('train', z.strictObject({ run: z.string() }))
/** Concurrent runs of a project: a slow page leaves room for others, and all of them for the project's other jobs. */
const RUNS = 3
/** Hand-written sources per run: reading them needs no waiting. */
const BATCH = 100

/** Queued or running sources. */
export const underWay = ['queued', 'reading', 'training'] as const

/**
 * Starts runs for a project's queued sources while there is room. Hand-written ones go first: they are fast, and a
 * person who corrects an answer must not wait for a site of thousands of pages. Call `context.jobs.wake()` after the
 * commit.
 */
export async function dispatch(
  context: Pick<ServerContext, 'clock' | 'jobs'>,
  trx: Kysely<Database>,
  projectId: string,
): Promise<void> {
  // row lock: two concurrent calls would each see the same room
  await trx.selectFrom('projects').select('id').where('id', '=', projectId).forNoKeyUpdate().execute()
  const { count } = await trx
    .selectFrom('knowledge_sources')
    .select(({ fn }) => fn.count<string>('run').distinct().as('count'))
    .where('project_id', '=', projectId)
    .where('status', 'in', underWay)
    .executeTakeFirstOrThrow()
  for (let room = RUNS - Number(count); room > 0; room--) {
    const sources =
      (await nextOf(trx, projectId, ['faq', 'text'], BATCH)) ?? (await nextOf(trx, projectId, ['link', 'document'], 1))
    if (!sources) return
    const run = randomUUID()
    await trx
      .updateTable('knowledge_sources')
      .set({ run })
      .where('project_id', '=', projectId)
      .where('id', 'in', sources)
      .execute()
    await context.jobs.schedule(trx, train, { key: run, payload: { run }, runAt: context.clock(), projectId })
  }
}

/** Those that have waited longest; null: none. */
async function nextOf(
  trx: Kysely<Database>,
  projectId: string,
  kinds: ('faq' | 'text' | 'link' | 'document')[],
  most: number,
) {
  const rows = await trx
    .selectFrom('knowledge_sources')
    .select('id')
    .where('project_id', '=', projectId)
    .where('status', '=', sql.lit('queued'))
    .where('run', 'is', null)
    .where('kind', 'in', kinds)
    .orderBy('queued_at')
    .orderBy('id')
    .limit(most)
    .forUpdate()
    .skipLocked()
    .execute()
  return rows.length > 0 ? rows.map(({ id }) => id) : null
}
