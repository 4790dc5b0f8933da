import { sql } from 'kysely'
import type { StartEvent } from '../../../../engine/flow/conversation'
import type { Work } from '../../../platform/database/database'
import type { Measures } from './measures'

/** What rows say of a conversation, before its questions are read. */
export interface ConversationRow {
  id: string
  gid: string
  project_id: string
  chatbot_id: string
  environment: 'production' | 'sharing'
  channel: string
  language: string
  status: string
  quarter: Date
  visitor: Buffer | null
  /** what started its first run; null: there is none */
  start_event: StartEvent | null
  started_at: Date
  returning: boolean
  visitor_messages: number
  bot_messages: number
  person_messages: number
  handed_over: boolean
  /** the address at which the visitor wants to be answered; null: none was given */
  hand_off_email: string | null
  answer_seconds: number | null
  /** the hand-off, or the visitor's first message: since when people were to answer */
  people_since: Date | null
  rating: number | null
  resolved: boolean | null
  commented: boolean
  helpful: number
  unhelpful: number
}

/** The rows of conversations of visitors, as they are now. Tests are left out (PRODUCT.md, "Conversations"). */
export async function readRows(work: Work, ids: readonly string[]): Promise<ConversationRow[]> {
  const { rows } = await sql<ConversationRow>`
    select c.id, c.gid, c.project_id, c.chatbot_id, c.environment, c.channel, c.status, c.created_at as started_at,
      lower(left(coalesce(c.language, ''), 20)) as language,
      date_bin('15 minutes', c.created_at, 'epoch') as quarter,
      c.visitor_hash as visitor,
      first.start_event,
      c.visitor_hash is not null and exists (
        select from conversations before where before.chatbot_id = c.chatbot_id and before.project_id = c.project_id
          and before.visitor_hash = c.visitor_hash and before.id < c.id) as returning,
      said.visitor_messages, said.bot_messages, said.person_messages, said.helpful, said.unhelpful,
      h.conversation_id is not null as handed_over, h.email as hand_off_email, coalesce(h.handed_over_at, said.asked_at) as people_since,
      greatest(0, floor(extract(epoch from said.answered_at - coalesce(h.handed_over_at, said.asked_at))))::int as answer_seconds,
      s.rating, s.resolved,
      exists (select from survey_answers words where words.conversation_id = c.id and words.project_id = c.project_id
        and words.feedback <> '') as commented
    from conversations c
      cross join lateral (
        select count(*) filter (where author = 2)::int as visitor_messages,
          count(*) filter (where author = 1 and sender_id is null)::int as bot_messages,
          count(*) filter (where author = 1 and sender_id is not null)::int as person_messages,
          count(*) filter (where helpful)::int as helpful,
          count(*) filter (where not helpful)::int as unhelpful,
          min(created_at) filter (where author = 1 and sender_id is not null) as answered_at,
          min(created_at) filter (where author = 2) as asked_at
        from messages m where m.conversation_id = c.id and m.project_id = c.project_id) said
      left join lateral (
        select start_event from runs r where r.conversation_id = c.id and r.project_id = c.project_id
        order by number limit 1) first on true
      left join hand_offs h on h.conversation_id = c.id and h.project_id = c.project_id
      left join lateral (
        -- the survey's own, else that of the question of the flow which was answered last
        select rating, resolved from survey_answers each
        where each.conversation_id = c.id and each.project_id = c.project_id and each.rating is not null
        order by each.block_id = '' desc, each.answered_at desc, each.block_id limit 1) s on true
    where c.id = any(${ids}::bigint[]) and c.environment in ('production', 'sharing') and c.analytics`.execute(work)
  return rows
}

/** The numbers of a conversation. */
export function measure(row: ConversationRow, questions: number, answered: number): Measures {
  const { rating } = row
  const outcome = outcomeOf(row, questions, answered)
  const rated = (value: number) => Number(rating === value)
  return {
    conversations: 1,
    returning_visitors: Number(row.returning),
    messages: row.visitor_messages + row.bot_messages + row.person_messages,
    visitor_messages: row.visitor_messages,
    bot_messages: row.bot_messages,
    person_messages: row.person_messages,
    silent: Number(outcome === 'silent'),
    resolved_bot: Number(outcome === 'resolved_bot'),
    resolved_person: Number(outcome === 'resolved_person'),
    unresolved: Number(outcome === 'unresolved'),
    handed_over: Number(row.handed_over),
    person_answered: Number(row.person_messages > 0),
    answer_seconds: row.answer_seconds ?? 0,
    rated: Number(rating !== null),
    rating_sum: rating ?? 0,
    rated_1: rated(1),
    rated_2: rated(2),
    rated_3: rated(3),
    rated_4: rated(4),
    rated_5: rated(5),
    said_resolved: Number(row.resolved === true),
    said_unresolved: Number(row.resolved === false),
    commented: Number(row.commented),
    helpful: row.helpful,
    unhelpful: row.unhelpful,
    questions,
    answered,
  }
}

/**
 * Who settled the visitor's matter. Unresolved: the visitor says so; people have it, or it was handed to them, and none
 * has answered; of the questions that answers were sought for none got one; or no answer was sought, and the visitor
 * left before the flow had ended, at one of its questions.
 */
function outcomeOf(row: ConversationRow, asked: number, answered: number) {
  if (row.visitor_messages === 0) return 'silent'
  if (row.resolved === false) return 'unresolved'
  if (row.person_messages > 0) return 'resolved_person'
  if (row.handed_over || row.status === 'waiting' || row.status === 'person') return 'unresolved'
  if (row.resolved === true) return 'resolved_bot'
  return (asked > 0 ? answered > 0 : row.status === 'closed') ? 'resolved_bot' : 'unresolved'
}
