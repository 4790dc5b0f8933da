import type { Transaction } from 'kysely'
import type { ChatbotFlows } from '../../../engine/flow/schema'
import { chatbotTypes } from '../../contracts/chatbots'
import type { ServerContext } from '../../platform/context'
import type { Database } from '../../platform/database/tables'
import { appendEvent, type EventContext } from '../../platform/events/defineEvent'
import { flowPublished } from '../flows/events'
import { freezeNumbered, frozen, setPublished } from '../flows/versions/freeze'
import type { AddedChatbot } from './addChatbot'

/**
 * Makes a new chatbot one of version 1: its flow, which nobody edits, is published at once, and the chat is in English
 * until another language is chosen, since it has no `Auto` (SPEC.md 9).
 */
export async function makeVersion1(
  trx: Transaction<Database>,
  context: Pick<ServerContext, 'clock'>,
  { place, flow, userId, origin }: { place: AddedChatbot; flow: ChatbotFlows; userId: string; origin: EventContext },
): Promise<void> {
  const { id, gid, projectId } = place
  await trx
    .updateTable('chatbots')
    .set({ type: chatbotTypes.chatbot, version: 1 })
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .execute()
  await trx
    .insertInto('web_chats')
    .values({
      ...{ chatbot_id: id, project_id: projectId, updated_at: context.clock() },
      language: JSON.stringify({ interface_language: 'en' }),
    })
    // a copy has its original's settings already
    .onConflict((conflict) => conflict.column('chatbot_id').doNothing())
    .execute()
  const main = { ...place.flow, project_id: projectId }
  const version = await freezeNumbered(trx, context, main, frozen(flow), { userId, published: true })
  await setPublished(trx, context, main, { versionId: version.id, userId })
  await appendEvent(trx, flowPublished, origin, { chatbot: gid, version: version.number ?? 0 })
}
