import type { WebhookEvent } from '../../contracts/webhookEvents'
import type { Work } from '../../platform/database/database'
import type { EventOf } from '../../platform/events/defineEvent'
import { contactChanged, contactCreated, contactDeleted, leadCreated } from '../contacts/events'
import {
  conversationAssigned,
  conversationClosed,
  conversationHandedOver,
  conversationReopened,
  conversationStarted,
  messageCreated,
  messageRated,
  surveyAnswered,
} from '../conversations/events'
import { flowPublished, flowUnpublished } from '../flows/events'
import { leadChanged } from '../insights/events'
import { readAssignee, readContact, readConversation, readLead, readMessages, readSurvey } from './subjects'

/** The events of the log that webhooks tell of. */
export const sources = [
  conversationStarted,
  conversationHandedOver,
  conversationAssigned,
  conversationClosed,
  conversationReopened,
  surveyAnswered,
  messageCreated,
  messageRated,
  contactCreated,
  contactChanged,
  contactDeleted,
  leadCreated,
  leadChanged,
  flowPublished,
  flowUnpublished,
] as const
export type SourceEvent = EventOf<(typeof sources)[number]>

/** The names by which the outside knows them. */
export const publicNames: Readonly<Record<SourceEvent['type'], WebhookEvent>> = {
  'conversation.started': 'conversation.started',
  'conversation.handedOver': 'conversation.handed_over',
  'conversation.assigned': 'conversation.assigned',
  'conversation.closed': 'conversation.closed',
  'conversation.reopened': 'conversation.reopened',
  'survey.answered': 'conversation.rated',
  'message.created': 'message.created',
  'message.rated': 'message.rated',
  'contact.created': 'contact.created',
  'contact.changed': 'contact.updated',
  'contact.deleted': 'contact.deleted',
  'lead.created': 'lead.created',
  'lead.changed': 'lead.updated',
  'flow.published': 'flow.published',
  'flow.unpublished': 'flow.unpublished',
}
export const publicName = (event: SourceEvent): WebhookEvent => publicNames[event.type]

/** What is told of an event, and whom it is about. */
export interface Payload {
  data: Record<string, unknown>
  conversationId: string | null
  contactId: string | null
}

/** Tests of drafts concern nobody outside. */
export function concernsVisitors({ payload }: SourceEvent): boolean {
  if ('environment' in payload) return payload.environment === 'production' || payload.environment === 'sharing'
  return !('test' in payload && payload.test)
}

/**
 * Reads what is told of an event, as it is now; null if what it is about is gone.
 * @param personal whether people are named, and what they wrote is said
 */
export async function readPayload(work: Work, event: SourceEvent, personal: boolean): Promise<Payload | null> {
  const { projectId } = event
  const of = { projectId, personal }
  const about = (data: Record<string, unknown>, ids: Partial<Payload> = {}): Payload => ({
    data,
    conversationId: ids.conversationId ?? null,
    contactId: ids.contactId ?? null,
  })
  if (event.type === 'flow.published' || event.type === 'flow.unpublished') {
    const { chatbot, ...rest } = event.payload
    const row = await work
      .selectFrom('chatbots')
      .select('name')
      .where('project_id', '=', projectId)
      .where('gid', '=', chatbot)
      .executeTakeFirst()
    return row ? about({ chatbot: { id: chatbot, name: row.name }, ...rest }) : null
  }
  if (event.type === 'contact.deleted') return about({ contact: { id: event.payload.contact } })
  if (event.type === 'contact.created' || event.type === 'contact.changed') {
    const found = await readContact(work, event.payload.contact, of)
    return found && about({ contact: found.contact }, { contactId: found.id })
  }
  if (event.type === 'lead.created' || event.type === 'lead.changed') {
    const found = await readLead(work, event.payload.lead, of)
    return found && about({ lead: found.lead }, { conversationId: found.conversationId })
  }
  if (!('conversation' in event.payload)) return null
  const found = await readConversation(work, event.payload.conversation, of)
  if (!found) return null
  const { conversation, id: conversationId, contactId } = found
  const told = (more: Record<string, unknown> = {}) => about({ conversation, ...more }, { conversationId, contactId })
  switch (event.type) {
    case 'conversation.assigned':
      return told({ assignee: await readAssignee(work, event.payload.user, of) })
    case 'survey.answered': {
      const { rating, resolved, block = '' } = event.payload
      return told({ rating, resolved, feedback: await readSurvey(work, { conversationId, block }, of) })
    }
    case 'message.created': {
      const { first, last } = event.payload
      return told({ messages: await readMessages(work, { conversationId, first, last }, of) })
    }
    case 'message.rated':
      return told({ message: event.payload.seq, helpful: event.payload.helpful })
    default:
      return told()
  }
}
