import { sql } from 'kysely'
import type { Work } from '../../../platform/database/database'
import type { ConversationRow } from '../facts/readFacts'
import { type AgentMeasure, agentMeasures } from './agentMeasures'

/** What a conversation adds to the figures of a member, in one quarter of an hour. */
export type AgentFacts = Record<AgentMeasure, number> &
  Pick<ConversationRow, 'project_id' | 'chatbot_id' | 'environment' | 'channel' | 'quarter'> & {
    conversation_id: string
    user_id: string
  }

interface SentRow {
  conversation_id: string
  user_id: string
  quarter: Date
  messages: number
  /** numbers of the first and the last of them */
  first: number
  last: number
}
interface ActRow {
  conversation_id: string
  user_id: string
  taken: boolean
  closed_at: Date | null
}

/** The work of members in conversations, as their rows show it now. */
export async function readAgentFacts(work: Work, rows: readonly ConversationRow[]): Promise<AgentFacts[]> {
  const ids = rows.map(({ id }) => id)
  const { rows: sent } = await sql<SentRow>`
    select conversation_id, sender_id as user_id, date_bin('15 minutes', created_at, 'epoch') as quarter,
      count(*)::int as messages, min(seq) as first, max(seq) as last
    from messages where conversation_id = any(${ids}::bigint[]) and author = 1 and sender_id is not null
    group by 1, 2, 3 order by 1, 5`.execute(work)
  const { rows: acts } = await sql<ActRow>`
    select conversation_id, user_id, bool_or(kind = 'taken') as taken, max(at) filter (where kind = 'closed') as closed_at
    from agent_acts where conversation_id = any(${ids}::bigint[]) group by 1, 2 order by 1, 2`.execute(work)
  const [sentIn, actsIn] = [byConversation(sent), byConversation(acts)]
  return rows.flatMap((row) => factsIn(row, sentIn.get(row.id) ?? [], actsIn.get(row.id) ?? []))
}

function byConversation<Row extends { conversation_id: string }>(rows: readonly Row[]): Map<string, Row[]> {
  const found = new Map<string, Row[]>()
  for (const row of rows) found.set(row.conversation_id, [...(found.get(row.conversation_id) ?? []), row])
  return found
}

/** @param sent in the order of their first messages */
function factsIn(row: ConversationRow, sent: readonly SentRow[], acts: readonly ActRow[]): AgentFacts[] {
  const found = new Map<string, AgentFacts>()
  const of = (userId: string, quarter: Date): AgentFacts => {
    const key = `${userId} ${quarter.getTime()}`
    const facts = found.get(key) ?? noWork(row, userId, quarter)
    found.set(key, facts)
    return facts
  }
  for (const { user_id, quarter, messages } of sent) {
    of(user_id, quarter).sent += messages
    const own = of(user_id, row.quarter)
    own.messages += messages
    own.replied = 1
  }
  const [first] = sent
  if (first) {
    const own = of(first.user_id, row.quarter)
    own.first_answers = 1
    own.first_answer_seconds = row.answer_seconds ?? 0
    const last = sent.reduce((one, other) => (other.last > one.last ? other : one))
    if (row.rating !== null) {
      const rated = of(last.user_id, row.quarter)
      rated.rated = 1
      rated.rating_sum = row.rating
    }
  }
  for (const { user_id, taken, closed_at } of acts) {
    const own = of(user_id, row.quarter)
    own.taken = Number(taken)
    own.closed = Number(closed_at !== null)
    const since = row.people_since ?? row.started_at
    own.closed_seconds = closed_at ? Math.max(0, Math.floor((closed_at.getTime() - since.getTime()) / 1_000)) : 0
  }
  return [...found.values()]
}

function noWork(row: ConversationRow, user_id: string, quarter: Date): AgentFacts {
  const { id: conversation_id, project_id, chatbot_id, environment, channel } = row
  const none = Object.fromEntries(agentMeasures.map((name) => [name, 0])) as Record<AgentMeasure, number>
  return { conversation_id, project_id, chatbot_id, environment, channel, quarter, user_id, ...none }
}
