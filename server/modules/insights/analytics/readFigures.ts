import { sql } from 'kysely'
import type { Figures } from '../../../contracts/analytics'
import type { ProjectDb } from '../../../platform/database/database'
import { readVisitors } from '../days/readVisitors'
import { rowsIn, type Spans } from '../days/spans'
import { type Measure, measures } from '../facts/measures'
import { isWithin } from './period'
import { type Scope, sumsIn } from './scope'

/** All figures of a period. */
export async function readFigures(db: ProjectDb, scope: Scope, spans: Spans): Promise<Figures> {
  const sums = sql.raw(measures.map((name) => `coalesce(sum(${name}), 0)::bigint as ${name}`).join(', '))
  const { rows } = await sql<Record<Measure, string>>`
    select ${sums} from ${sumsIn(scope, spans, measures)}`.execute(db)
  const counted = Object.fromEntries(measures.map((name) => [name, Number(rows[0]?.[name] ?? 0)])) as Record<
    Measure,
    number
  >
  const { visitor_messages: _v, bot_messages: _b, person_messages: _p, ...figures } = counted
  return {
    ...figures,
    visitors: await readVisitors(db, scope, spans),
    leads: await countLeads(db, scope),
    credits: await sumCredits(db, scope, spans),
  }
}

async function countLeads(db: ProjectDb, { projectId, chatbotId, period, environment, channel }: Scope) {
  const { rows } = await sql<{ leads: string }>`
    select count(*) as leads from leads
    where leads.project_id = ${projectId} and not leads.deleted and ${isWithin(sql`leads.created_at`, period)}
      and ${chatbotId === null ? sql`true` : sql`leads.chatbot_id = ${chatbotId}`}
      and ${environment === undefined ? sql`true` : sql`leads.environment = ${environment}`}
      and ${channel === undefined ? sql`true` : sql`leads.channel = ${channel}`}`.execute(db)
  return Number(rows[0]?.leads ?? 0)
}

async function sumCredits(db: ProjectDb, { projectId, chatbotId, environment, channel }: Scope, spans: Spans) {
  if (environment !== undefined || channel !== undefined) return null
  const ofChatbot = chatbotId === null ? sql`true` : sql`chatbot_id = ${chatbotId}`
  const used = sql`project_id = ${projectId} and credit = 'ai_message_credits' and ${ofChatbot}`
  const { rows } = await sql<{ credits: string }>`
    select coalesce(sum(amount), 0) as credits from (
      select amount from ${rowsIn(spans.rolled, 'insight_credits', 'day', sql`project_id = ${projectId} and ${ofChatbot}`)}
      union all
      select amount from ${rowsIn([...spans.raw, ...spans.edges], 'credit_uses', 'used_at', used)}) as uses`.execute(db)
  return Number(rows[0]?.credits ?? 0)
}
