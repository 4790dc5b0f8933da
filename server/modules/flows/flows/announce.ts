import { CHATBOT_TOPIC } from '../../../../engine/document/syncProtocol'
import type { Db } from '../../../platform/database/database'
import type { Documents } from '../collab/documents'
import { flowsOf } from './chatbotFlows'

/**
 * Notifies everybody with an open flow of the chatbot of changes outside the documents: the list of flows, titles, what
 * is published. Call after the commit. A lost notification is made up for by the next poll.
 */
export async function announceChatbot(
  { db }: { db: Db },
  documents: Pick<Documents, 'announce'>,
  { id, projectId }: { id: string; projectId: string },
): Promise<void> {
  for (const flow of await flowsOf(db, projectId, id)) documents.announce({ id: flow.id, projectId }, CHATBOT_TOPIC)
}
