import { CHATBOT_TOPIC } from '../../../../engine/document/syncProtocol'
import type { Db } from '../../../platform/database/database'
import type { Documents } from '../collab/documents'
import { flowsOf } from './chatbotFlows'

/**
 * Tells everybody who has a flow of the chatbot open that something beside the documents is new: which flows there are,
 * what they are called, what is published. To be called after the commit. Whoever is not reached sees it at the next
 * look.
 */
export async function announceChatbot(
  { db }: { db: Db },
  documents: Pick<Documents, 'announce'>,
  { id, projectId }: { id: string; projectId: string },
): Promise<void> {
  for (const flow of await flowsOf(db, projectId, id)) documents.announce({ id: flow.id, projectId }, CHATBOT_TOPIC)
}
