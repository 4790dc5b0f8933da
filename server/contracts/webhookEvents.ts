/** What webhooks tell of. A name keeps its meaning; another form of its data is another version. */
export const webhookEvents = [
  'conversation.started',
  'conversation.handed_over',
  'conversation.assigned',
  'conversation.closed',
  'conversation.reopened',
  'conversation.rated',
  'message.created',
  'message.rated',
  'contact.created',
  'contact.updated',
  'contact.deleted',
  'lead.created',
  'lead.updated',
  'flow.published',
  'flow.unpublished',
] as const
export type WebhookEvent = (typeof webhookEvents)[number]

/** The version of each event's data, in its payload. */
export const PAYLOAD_VERSION = 1

const chatbot = { id: 'b7kq2m9x4t1c8w5z', name: 'Support' }
const person = { id: 'p3x8n5v1d6k9r2s7', name: 'Grace Hopper', email: 'grace@example.com', phone: '+4930123456' }
const conversation = {
  id: 'c5t9w2k7m4x1b8n3',
  chatbot,
  channel: 'web',
  environment: 'production',
  status: 'bot',
  language: 'en',
  started_at: '2026-11-24T09:00:00.000Z',
  contact: { ...person, user_id: null },
}
const contact = {
  ...person,
  user_id: null,
  company: 'Navy',
  tags: ['VIP'],
  custom: { plan: 'Pro' },
  created_at: '2026-11-20T08:30:00.000Z',
}
const lead = {
  id: 'l4m7x1t8k2w9c5b3',
  conversation: conversation.id,
  chatbot,
  source: 'form',
  status: 'new',
  name: person.name,
  email: person.email,
  phone: person.phone,
  answers: [{ question: 'Team size', answer: '12' }],
  created_at: '2026-11-24T09:02:00.000Z',
}

/** An example of each event's data: shown where events are chosen, and sent as a test. */
export const webhookExamples: Readonly<Record<WebhookEvent, Record<string, unknown>>> = {
  'conversation.started': { conversation },
  'conversation.handed_over': { conversation: { ...conversation, status: 'waiting' } },
  'conversation.assigned': {
    conversation: { ...conversation, status: 'person' },
    assignee: { id: 'u6v2k9d4x7n1t5m8', name: 'Ada Lovelace' },
  },
  'conversation.closed': { conversation: { ...conversation, status: 'closed' } },
  'conversation.reopened': { conversation },
  'conversation.rated': { conversation, rating: 5, resolved: true, feedback: 'Quick and friendly' },
  'message.created': {
    conversation,
    messages: [
      { number: 3, author: 'visitor', kind: 'text', text: 'Where is my order?', at: '2026-11-24T09:01:00.000Z' },
      { number: 4, author: 'bot', kind: 'text', text: 'What is its number?', at: '2026-11-24T09:01:01.000Z' },
    ],
  },
  'message.rated': { conversation, message: 4, helpful: true },
  'contact.created': { contact },
  'contact.updated': { contact },
  'contact.deleted': { contact: { id: person.id } },
  'lead.created': { lead },
  'lead.updated': { lead: { ...lead, status: 'contacted' } },
  'flow.published': { chatbot, version: 7 },
  'flow.unpublished': { chatbot },
}

/** What is sent, in the order of its fields: `id` is that of the header `webhook-id`. */
export const webhookPayload = (
  type: WebhookEvent,
  { id, at, project, data, test }: { id: string; at: string; project: string; data: unknown; test?: boolean },
) => ({ id, type, version: PAYLOAD_VERSION, timestamp: at, project, ...(test && { test: true }), data })
