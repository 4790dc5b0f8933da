import { sql } from 'kysely'
import type { BotMessage } from '../../../../engine/flow/conversation'
import { plainMessage } from './plainMessage'
import { countOf, isOwn, isSelected, pageOf, type Section, type Selection } from './section'

const visitors = (selection: Selection) => sql`conversations c
  join chatbots b on b.id = c.chatbot_id and b.project_id = c.project_id
  where ${isOwn('c', selection)} and c.environment in ('production', 'sharing')
    and ${isSelected(sql`c.created_at`, selection)}`

interface ConversationRow {
  id: string
  gid: string
  chatbot: string
  environment: string
  channel: string
  language: string | null
  status: string
  created_at: Date
  updated_at: Date
  last_seq: number
  rating: number | null
  resolved: boolean | null
  feedback: string | null
}

/** Visitors' conversations, a row each. */
export const conversations: Section = {
  name: 'conversations',
  columns: [
    ...['conversation', 'chatbot', 'environment', 'channel', 'language', 'status', 'started_at', 'last_at', 'messages'],
    ...['rating', 'resolved', 'feedback'],
  ],
  count: (db, selection) => countOf(db, visitors(selection)),
  async page(db, selection, cursor, limit) {
    const { rows } = await sql<ConversationRow>`
      select c.id, c.gid, c.chatbot, c.environment, c.channel, c.language, c.status, c.created_at, c.updated_at, c.last_seq,
        s.rating, s.resolved, s.feedback
      from (select c.*, b.name as chatbot from ${visitors(selection)} and c.id > ${cursor ?? '0'}
          order by c.id limit ${limit + 1}) as c
        left join lateral (
          select rating, resolved, feedback from survey_answers each
          where each.conversation_id = c.id and each.project_id = c.project_id and each.rating is not null
          order by each.block_id = '' desc, each.answered_at desc, each.block_id limit 1) s on true
      order by c.id`.execute(db)
    return pageOf(
      rows,
      limit,
      ({ id }) => id,
      (row) => ({
        conversation: row.gid,
        chatbot: row.chatbot,
        environment: row.environment,
        channel: row.channel,
        language: row.language,
        status: row.status,
        started_at: row.created_at.toISOString(),
        last_at: row.updated_at.toISOString(),
        messages: row.last_seq,
        rating: row.rating,
        resolved: row.resolved,
        feedback: row.feedback,
      }),
    )
  },
}

interface MessageRow {
  conversation_id: string
  gid: string
  seq: number
  author: 1 | 2
  sender: string | null
  content: BotMessage
  helpful: boolean | null
  created_at: Date
}

/** What was said in them, a row a message. */
export const messages: Section = {
  name: 'messages',
  columns: ['conversation', 'number', 'at', 'from', 'sender', 'kind', 'text', 'helpful'],
  count: (db, selection) =>
    countOf(
      db,
      sql`messages m where m.project_id = ${selection.projectId}
      and m.conversation_id in (select c.id from ${visitors(selection)})`,
    ),
  async page(db, selection, cursor, limit) {
    const [conversation = '0', seq = '0'] = cursor?.split('.') ?? []
    const { rows } = await sql<MessageRow>`
      select m.conversation_id, c.gid, m.seq, m.author, nullif(trim(concat(u.first_name, ' ', u.last_name)), '') as sender,
        m.content, m.helpful, m.created_at
      from messages m
        join (select c.id, c.gid, c.project_id from ${visitors(selection)}) as c
          on c.id = m.conversation_id and c.project_id = m.project_id
        left join users u on u.id = m.sender_id
      where m.project_id = ${selection.projectId} and (m.conversation_id, m.seq) > (${conversation}, ${seq})
      order by m.conversation_id, m.seq limit ${limit + 1}`.execute(db)
    return pageOf(
      rows,
      limit,
      (row) => `${row.conversation_id}.${row.seq}`,
      (row) => ({
        conversation: row.gid,
        number: row.seq,
        at: row.created_at.toISOString(),
        from: row.author === 2 ? 'visitor' : row.sender === null ? 'bot' : 'person',
        sender: row.sender,
        kind: row.content.kind,
        text: plainMessage(row.content),
        helpful: row.helpful,
      }),
    )
  },
}
