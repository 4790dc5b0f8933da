import type { Kysely } from 'kysely'
import { z } from 'zod'
import type { ServerContext } from '../../../platform/context'
import type { Database } from '../../../platform/database/tables'
import { defineJob } from '../../../platform/jobs/defineJob'
import type { KnowledgePlace } from '../knowledge'

export const calibrate = defineJob('calibrate-knowledge', z.strictObject({ chatbot: z.string() }))
/** Each source that ends puts it off: of a batch, the last one brings it about. */
const QUIET = 5_000

/**
 * Has the threshold of "I don't know" measured anew, once nothing has changed for a moment; at once where it never was: until then a chatbot
 * refuses questions whose answer it has just been given.
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
