import type { Kysely } from 'kysely'
import { z } from 'zod'
import type { ServerContext } from '../../../platform/context'
import type { Database } from '../../../platform/database/tables'
import { defineJob } from '../../../platform/jobs/defineJob'
import type { KnowledgePlace } from '../knowledge'

export const calibrate = defineJob('calibrate-knowledge', z.strictObject({ chatbot: z.string() }))
/** Each finished source postpones it: the last one of a batch triggers it. */
const QUIET = 5_000

/**
 * Schedules measuring the threshold of "I don't know" after a quiet moment; at once for the first time, since until
 * then a chatbot may refuse questions whose answer it was just given.
 */
export async function scheduleCalibration(
  context: Pick<ServerContext, 'clock' | 'jobs'>,
  trx: Kysely<Database>,
  { projectId, chatbotId }: KnowledgePlace,
): Promise<void> {
  const chatbot = await trx
    .selectFrom('chatbots')
    .select(({ eb }) => eb('knowledge_calibration', 'is not', null).as('measured'))
    .where('id', '=', chatbotId)
    .where('project_id', '=', projectId)
    .executeTakeFirst()
  // deleted meanwhile
  if (!chatbot) return
  await context.jobs.schedule(trx, calibrate, {
    key: chatbotId,
    payload: { chatbot: chatbotId },
    runAt: new Date(context.clock().getTime() + (chatbot.measured ? QUIET : 0)),
    projectId,
  })
}
