import type { Work } from '../../platform/database/database'

interface Of {
  projectId: string
  /** whether people are named, and what they wrote is said */
  personal: boolean
}

/** Characters of a message that are told, and messages of a turn. */
const LONGEST = 20_000
const MOST = 50

/** A conversation by its gid, with whom it is with; null: it is gone. */
export async function readConversation(work: Work, gid: string, { projectId, personal }: Of) {
  const row = await work
    .selectFrom('conversations')
    .innerJoin('chatbots', (join) =>
      join
        .onRef('chatbots.id', '=', 'conversations.chatbot_id')
        .onRef('chatbots.project_id', '=', 'conversations.project_id'),
    )
    .leftJoin('contacts', (join) =>
      join
        .onRef('contacts.id', '=', 'conversations.contact_id')
        .onRef('contacts.project_id', '=', 'conversations.project_id'),
    )
    .select(['conversations.id', 'conversations.contact_id', 'channel', 'environment', 'status', 'language'])
    .select(['conversations.created_at', 'chatbots.gid as chatbot', 'chatbots.name as chatbot_name'])
    .select(['contacts.gid as contact', 'contacts.name', 'email', 'phone', 'user_id'])
    .where('conversations.project_id', '=', projectId)
    .where('conversations.gid', '=', gid)
    .executeTakeFirst()
  if (!row) return null
  const { contact, name, email, phone, user_id } = row
  return {
    id: row.id,
    contactId: row.contact_id,
    conversation: {
      id: gid,
      chatbot: { id: row.chatbot, name: row.chatbot_name },
      channel: row.channel,
      environment: row.environment,
      status: row.status,
      language: row.language,
      started_at: row.created_at.toISOString(),
      contact: contact === null ? null : { id: contact, ...(personal && { name, email, phone, user_id }) },
    },
  }
}

/** The messages of a turn, or of a person. */
export async function readMessages(
  work: Work,
  { conversationId, first, last }: { conversationId: string; first: number; last: number },
  { projectId, personal }: Of,
) {
  const rows = await work
    .selectFrom('messages')
    .select(['seq', 'author', 'sender_id', 'content', 'words', 'created_at'])
    .where('project_id', '=', projectId)
    .where('conversation_id', '=', conversationId)
    .where('seq', '>=', first)
    .where('seq', '<=', last)
    .orderBy('seq')
    .limit(MOST)
    .execute()
  return rows.map(({ seq, author, sender_id, content, words, created_at }) => ({
    number: seq,
    author: author === 2 ? 'visitor' : sender_id === null ? 'bot' : 'person',
    kind: content.kind,
    ...(personal && { text: (words ?? '').slice(0, LONGEST) }),
    at: created_at.toISOString(),
  }))
}

/** What a visitor wrote at the end; null: nothing, or it is not told. */
export async function readSurvey(
  work: Work,
  { conversationId, block }: { conversationId: string; block: string },
  { projectId, personal }: Of,
): Promise<string | null> {
  if (!personal) return null
  const row = await work
    .selectFrom('survey_answers')
    .select('feedback')
    .where('project_id', '=', projectId)
    .where('conversation_id', '=', conversationId)
    .where('block_id', '=', block)
    .executeTakeFirst()
  return row?.feedback || null
}

/** The member who has a conversation; null: is none any more. */
export async function readAssignee(work: Work, userId: string, { projectId }: Of) {
  const row = await work
    .selectFrom('project_members')
    .innerJoin('users', 'users.id', 'project_members.user_id')
    .select(['users.gid', 'first_name', 'last_name'])
    .where('project_members.project_id', '=', projectId)
    .where('users.id', '=', userId)
    .executeTakeFirst()
  return row ? { id: row.gid, name: `${row.first_name} ${row.last_name}`.trim() } : null
}

/** A contact by its gid; null: it is gone. */
export async function readContact(work: Work, gid: string, { projectId, personal }: Of) {
  const row = await work
    .selectFrom('contacts')
    .select(['id', 'name', 'email', 'phone', 'user_id', 'company', 'tags', 'custom', 'created_at'])
    .where('project_id', '=', projectId)
    .where('gid', '=', gid)
    .executeTakeFirst()
  if (!row) return null
  const { id, created_at, ...rest } = row
  return { id, contact: { id: gid, ...(personal && rest), created_at: created_at.toISOString() } }
}

/** A lead by its gid; null: it is gone. */
export async function readLead(work: Work, gid: string, { projectId, personal }: Of) {
  const row = await work
    .selectFrom('leads')
    .innerJoin('chatbots', (join) =>
      join.onRef('chatbots.id', '=', 'leads.chatbot_id').onRef('chatbots.project_id', '=', 'leads.project_id'),
    )
    .leftJoin('conversations', (join) =>
      join
        .onRef('conversations.id', '=', 'leads.conversation_id')
        .onRef('conversations.project_id', '=', 'leads.project_id'),
    )
    .select(['leads.conversation_id', 'conversations.gid as conversation', 'leads.source', 'leads.status'])
    .select(['leads.name', 'leads.email', 'leads.phone', 'answers', 'leads.created_at'])
    .select(['chatbots.gid as chatbot', 'chatbots.name as chatbot_name'])
    .where('leads.project_id', '=', projectId)
    .where('leads.gid', '=', gid)
    .where('leads.deleted', '=', false)
    .executeTakeFirst()
  if (!row) return null
  const { name, email, phone } = row
  const answers = row.answers.map((answer) => ({ question: answer.name, answer: answer.value }))
  return {
    conversationId: row.conversation_id,
    lead: {
      id: gid,
      conversation: row.conversation,
      chatbot: { id: row.chatbot, name: row.chatbot_name },
      source: row.source,
      status: row.status,
      ...(personal && { name, email, phone, answers }),
      created_at: row.created_at.toISOString(),
    },
  }
}
