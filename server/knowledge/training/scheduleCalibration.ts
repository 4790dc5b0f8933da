import type { Kysely } from 'kysely'
import type { ServerContext } from '../../context'
import { createJobs } from '../../jobs/createJobs'
import type { Database } from '../../storage/tables'
import type { KnowledgePlace } from '../knowledge'

export const CALIBRATE = 'calibrate-knowledge'
/** Each source that ends puts it off: of a batch, the last one brings it about. */
const QUIET = 5_000

/** Has the threshold of "I don't know" measured anew, once nothing has changed for a moment. */
export async function scheduleCalibration(
  context: Pick<ServerContext, 'db' | 'clock' | 'log'>,
  trx: Kysely<Database>,
  { projectId, chatbotId }: KnowledgePlace,
): Promise<void> {
  await createJobs(context).schedule(trx, {
    kind: CALIBRATE,
    key: chatbotId,
    payload: { chatbot: chatbotId },
    runAt: new Date(context.clock().getTime() + QUIET),
    projectId,
  })
}
