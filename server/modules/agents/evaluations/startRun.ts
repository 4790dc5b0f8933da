import type { Transaction } from 'kysely'
import type { ServerContext } from '../../../platform/context'
import type { Database } from '../../../platform/database/tables'
import type { KnowledgePlace } from '../../knowledge/knowledge'
import { countOf, lockChatbot } from './rows'
import { evaluationRun, forgetOldRuns, runsOf } from './runRows'

/**
 * Begins to ask all of a chatbot's questions, as a job of the transaction.
 * @param by the person who wants it; null: a training has ended
 * @returns the run's gid, or why there is none
 */
export async function startRun(
  { clock, ids, jobs }: Pick<ServerContext, 'clock' | 'ids' | 'jobs'>,
  trx: Transaction<Database>,
  place: KnowledgePlace,
  by: string | null,
): Promise<{ gid: string } | 'running' | 'empty'> {
  await lockChatbot(trx, place)
  if ((await runsOf(trx, place)).some(({ running }) => running)) return 'running'
  const total = await countOf(trx, place)
  if (total === 0) return 'empty'
  const gid = ids()
  const { id } = await trx
    .insertInto('evaluation_runs')
    .values({
      ...{ gid, project_id: place.projectId, chatbot_id: place.chatbotId, model: '', total },
      ...{ started_by: by, after_training: by === null, created_at: clock(), finished_at: null },
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await forgetOldRuns(trx, place)
  await jobs.schedule(trx, evaluationRun, {
    payload: { run: id },
    runAt: clock(),
    projectId: place.projectId,
    key: gid,
  })
  return { gid }
}
