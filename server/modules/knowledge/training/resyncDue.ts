import { isChatbotOver } from '../../../access/overLimit'
import type { ServerContext } from '../../../platform/context'
import { payForDue } from './payForDue'
import { queueSources } from './queueSources'

/** Sources per sweep; the rest waits for the next ones. */
const MOST = 5_000

/**
 * Queues links that are due for automatic sync, each for one resync credit, in projects whose plan includes it. For all
 * projects.
 */
export async function resyncDue(context: Pick<ServerContext, 'db' | 'clock' | 'jobs'>): Promise<void> {
  const { db, clock } = context
  const due = await db
    .selectFrom('knowledge_sources as sources')
    .innerJoin('projects', 'projects.id', 'sources.project_id')
    .innerJoin('chatbots', (join) =>
      join.onRef('chatbots.id', '=', 'sources.chatbot_id').onRef('chatbots.project_id', '=', 'sources.project_id'),
    )
    .select([
      'sources.id',
      'sources.gid',
      'sources.project_id',
      'resync',
      'next_resync_at as due_at',
      'plan_id',
      'addons',
      isChatbotOver.as('over'),
    ])
    .where('next_resync_at', '<=', clock())
    .where('status', 'in', ['ready', 'error'])
    .orderBy('next_resync_at')
    .limit(MOST)
    .execute()
  await payForDue(context, due, async (trx, { id, project_id }, { next, refused }) => {
    await trx
      .updateTable('knowledge_sources')
      .set({ next_resync_at: next, ...(refused !== null && { reason: refused }) })
      .where('project_id', '=', project_id)
      .where('id', '=', id)
      .execute()
    if (refused === null) await queueSources(context, trx, project_id, [id])
  })
}
