import type { ServerContext } from '../../../platform/context'
import { appendEvent } from '../../../platform/events/defineEvent'
import { knowledgeTrained } from '../events'
import type { KnowledgePlace } from '../knowledge'
import { underWay } from './dispatch'

/** Tells that a chatbot's training has ended, unless a source of it waits again: then the last one's end tells. */
export async function tellTrained(
  { db, clock, ids }: Pick<ServerContext, 'db' | 'clock' | 'ids'>,
  { projectId, chatbotId }: KnowledgePlace,
): Promise<void> {
  await db
    .forProject(projectId)
    .transaction()
    .execute(async (trx) => {
      const waiting = await trx
        .selectFrom('knowledge_sources')
        .select('id')
        .where('chatbot_id', '=', chatbotId)
        .where('status', 'in', underWay)
        .limit(1)
        .executeTakeFirst()
      if (waiting) return
      const origin = { projectId, by: { actor: 'system' }, correlation: ids(), at: clock() } as const
      await appendEvent(trx, knowledgeTrained, origin, { chatbot: chatbotId })
    })
}
