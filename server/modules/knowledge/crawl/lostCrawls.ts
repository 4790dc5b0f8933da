import { sql } from 'kysely'
import { z } from 'zod'
import type { ServerContext } from '../../../platform/context'
import type { Db } from '../../../platform/database/database'
import { defineJob } from '../../../platform/jobs/defineJob'
import { countPages, lockFinding } from './frontier'

/** The job that crawls pages. */
export const findPages = defineJob('find-pages', z.strictObject({ crawl: z.string() }))
const GIVEN_UP =
  'The server tried ten times and could not go on. Look for pages again; if it stays, tell the person who runs it.'

/**
 * Repairs crawls that would never end: one whose job was given up ends with what it has; one without a job gets a new
 * one. For all projects. @param begin as `Crawls.begin`
 */
export async function endLostCrawls(
  { db, clock }: Pick<ServerContext, 'db' | 'clock'>,
  begin: (trx: Db, crawl: { id: string; projectId: string }) => Promise<void>,
): Promise<void> {
  const lost = await db
    .selectFrom('crawls')
    .leftJoin('jobs', (join) => join.on('jobs.kind', '=', findPages.kind).on(sql<boolean>`jobs.key = crawls.id::text`))
    .select(['crawls.id', 'crawls.project_id', 'jobs.failed_at'])
    .where('crawls.state', '=', 'finding')
    .where(({ or, eb }) => or([eb('jobs.id', 'is', null), eb('jobs.failed_at', 'is not', null)]))
    .execute()
  for (const { id, project_id, failed_at } of lost)
    await db.transaction().execute(async (trx) => {
      const crawl = await lockFinding(trx, { id, project_id })
      if (!crawl) return
      if (failed_at === null) return begin(trx, { id, projectId: project_id })
      const { found } = await countPages(trx, crawl)
      await trx
        .updateTable('crawls')
        .set({ state: found > 0 ? 'stopped' : 'error', reason: GIVEN_UP, updated_at: clock() })
        .where('project_id', '=', project_id)
        .where('id', '=', id)
        .execute()
      await trx
        .deleteFrom('crawl_pages')
        .where('project_id', '=', project_id)
        .where('crawl_id', '=', id)
        .where('state', '=', 'waiting')
        .execute()
    })
}
