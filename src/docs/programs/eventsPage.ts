import {
  PAYLOAD_VERSION,
  webhookEvents,
  webhookExamples,
  webhookPayload,
} from '../../../server/contracts/webhookEvents'

const WHEN: Readonly<Record<(typeof webhookEvents)[number], string>> = {
  'conversation.started': 'A visitor began a conversation.',
  'conversation.handed_over': 'The bot asked for a person.',
  'conversation.assigned': 'Somebody was given the conversation, or a team, or nobody any more.',
  'conversation.closed': 'The conversation was closed.',
  'conversation.reopened': 'A closed conversation was opened again.',
  'conversation.rated': 'A visitor rated the conversation.',
  'message.created': 'Something was said, by the visitor, the bot or a person.',
  'message.rated': 'A visitor said whether an answer helped.',
  'contact.created': 'A contact was made.',
  'contact.updated': 'A contact was changed.',
  'contact.deleted': 'A contact was deleted. Only its id is told.',
  'lead.created': 'A visitor left a form, an email address or a phone number.',
  'lead.updated': 'A lead was changed.',
  'flow.published': 'A chatbot was published.',
  'flow.unpublished': 'A chatbot was taken off its link.',
}

/** The page of all events of webhooks, each with its example. */
export function eventsPage(): string {
  const sections = webhookEvents.map((event) => {
    const given = { id: 'msg_m3k8t1x6w9b2n5c7', at: '2026-11-24T09:02:00.000Z', project: 'a1b2c3d4e5f6g7h8' }
    const body = webhookPayload(event, { ...given, data: webhookExamples[event] })
    return `## \`${event}\`\n\n${WHEN[event]}\n\n\`\`\`json\n${JSON.stringify(body, null, 2)}\n\`\`\``
  })
  return [
    '# Events of webhooks',
    `What [webhooks](/developers/webhooks) tell of. Each body names its \`version\`, now ${PAYLOAD_VERSION}. Without personal data, names, addresses and what people write are left out.`,
    ...sections,
  ].join('\n\n')
}
