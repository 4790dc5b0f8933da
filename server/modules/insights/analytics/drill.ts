import { type RawBuilder, sql } from 'kysely'
import type { z } from 'zod'
import {
  type AgentFigureName,
  agentFigureNames,
  DRILLED_PER_PAGE,
  type DrilledConversation,
  type drillAnalytics,
  type FigureName,
} from '../../../contracts/analytics'
import { LEFT_AFTER_MINUTES } from '../../../contracts/statistics'
import type { ProjectDb } from '../../../platform/database/database'
import { isWithin } from './period'
import { inPlace, inScope, type Scope } from './scope'

type Query = z.infer<typeof drillAnalytics.query>
type Narrowed = Pick<
  Query,
  'figure' | 'agent' | 'language' | 'page' | 'wording' | 'source' | 'weekday' | 'hour' | 'block' | 'group' | 'before'
>
type FactFigure = Exclude<FigureName, 'leads' | 'credits' | 'left' | 'reached'>

interface FactsRow {
  gid: string
  chatbot_gid: string
  chatbot_name: string
  started_at: Date
  environment: DrilledConversation['environment']
  channel: string
  language: string
  messages: number
  outcome: DrilledConversation['outcome']
  rating: number | null
}

const isAgentFigure = (figure: Query['figure']): figure is AgentFigureName =>
  agentFigureNames.some((name) => name === figure)

function counts(figure: FactFigure) {
  if (figure === 'visitors') return sql<boolean>`true`
  return figure === 'unanswered' ? sql<boolean>`questions > answered` : sql<boolean>`${sql.ref(`facts.${figure}`)} > 0`
}

const member = (agent: string | undefined) => sql`(select id from users where gid = ${agent ?? ''})`

/** Left a lead in the period, as the figure counts it: by the lead's own time and place. */
const gaveLead = (scope: Scope) => sql<boolean>`exists (select from leads lead
  where lead.conversation_id = facts.conversation_id and lead.project_id = facts.project_id and not lead.deleted
    and ${inPlace(scope, 'lead')} and ${isWithin(sql`lead.created_at`, scope.period)})`

/** Spent AI credits in the period: the key of such a use begins with its conversation. */
const usedCredits = ({ projectId, period }: Scope) => sql<boolean>`c.gid in (
  select split_part(used.key, '.', 1) from credit_uses used where used.project_id = ${projectId}
    and used.credit = 'ai_message_credits' and ${isWithin(sql`used.used_at`, period)})`

/** Was left at a block of the main flow, as the statistics count it: by the day in UTC on which its run began. */
const wasLeft = ({ projectId, period: { from, to } }: Scope, block: string, now: Date) => sql<boolean>`exists (
  select from run_visits visits join runs on runs.id = visits.run_id and runs.project_id = visits.project_id
  where runs.conversation_id = facts.conversation_id and visits.project_id = ${projectId}
    and visits.day between ${from}::date and ${to}::date and coalesce(visits.flow, '?') = '' and visits.block_id = ${block}
    and (visits.status = 'left' or visits.status = 'waiting'
      and visits.last_at <= ${new Date(now.getTime() - LEFT_AFTER_MINUTES * 60_000)}))`

/** Came to a group or a block of the main flow, as the statistics count it: by the day in UTC when its run began. */
function wasReached(
  { projectId, chatbotId, period: { from, to } }: Scope,
  { block, group }: Pick<Narrowed, 'block' | 'group'>,
) {
  const [kind, place] = block === undefined ? ['group', group ?? ''] : ['block', block]
  return sql<boolean>`exists (
    select from run_places places join runs on runs.id = places.run_id and runs.project_id = places.project_id
    where runs.conversation_id = facts.conversation_id and places.project_id = ${projectId}
      and places.chatbot_id = ${chatbotId} and places.kind = ${kind} and places.place = ${place}
      and places.day between ${from}::date and ${to}::date)`
}

/** A member wrote in it in the period, at an hour of its zone: by the quarter in which the message was sent. */
const wasSent = ({ period }: Scope, { agent, hour }: Pick<Narrowed, 'agent' | 'hour'>) => sql<boolean>`exists (
  select from agent_facts own where own.conversation_id = facts.conversation_id and own.project_id = facts.project_id
    and own.user_id = ${member(agent)} and own.sent > 0 and ${isWithin(sql`own.quarter`, period)}
    and ${hour === undefined ? sql`true` : sql`extract(hour from own.quarter at time zone ${period.zone}) = ${hour}`})`

/**
 * A conversation began before what happened in it. Said of its own start, the newest are looked at from the end of the
 * period on, and not all that came after it.
 */
const beganBefore = (end: RawBuilder<unknown>) => sql<boolean>`facts.started_at < ${end}`
const endInUtc = ({ period: { to } }: Scope) => beganBefore(sql`((${to}::date + 1)::timestamp at time zone 'utc')`)

/** The condition on facts. `agent_open` looks at conversations as they are at present, whenever they began. */
function isCounted(scope: Scope, narrowed: Narrowed, now: Date) {
  const { figure, agent, block } = narrowed
  const anywhen = inPlace(scope, 'facts')
  if (figure === 'agent_open')
    return sql<boolean>`c.status = 'person' and c.assignee_id = ${member(agent)} and ${anywhen}`
  if (figure === 'leads') return sql<boolean>`${anywhen} and ${gaveLead(scope)}`
  if (figure === 'credits') return sql<boolean>`${anywhen} and ${usedCredits(scope)}`
  if (figure === 'left') return sql<boolean>`${anywhen} and ${endInUtc(scope)} and ${wasLeft(scope, block ?? '', now)}`
  if (figure === 'reached') return sql<boolean>`${anywhen} and ${endInUtc(scope)} and ${wasReached(scope, narrowed)}`
  if (figure === 'agent_sent') {
    const { to, zone } = scope.period
    const end = beganBefore(sql`((${to}::date + 1)::timestamp at time zone ${zone})`)
    return sql<boolean>`${anywhen} and ${end} and ${wasSent(scope, narrowed)}`
  }
  const within = inScope(scope, 'facts')
  if (!isAgentFigure(figure)) return sql<boolean>`${within} and ${counts(figure)}`
  const name = figure.slice('agent_'.length)
  return sql<boolean>`${within} and exists (select from agent_facts own where own.conversation_id = facts.conversation_id
    and own.project_id = facts.project_id and own.user_id = ${member(agent)} and ${sql.ref(`own.${name}`)} > 0)`
}

/** Condition: the conversation began on a weekday (1 is Monday), in an hour of the period's zone. */
function isAt({ period: { zone } }: Scope, { figure, weekday, hour }: Pick<Narrowed, 'figure' | 'weekday' | 'hour'>) {
  // its hour is that of the messages
  if (figure === 'agent_sent') return sql<boolean>`true`
  const local = sql`(facts.started_at at time zone ${zone})`
  return sql<boolean>`${weekday === undefined ? sql`true` : sql`extract(isodow from ${local}) = ${weekday}`}
    and ${hour === undefined ? sql`true` : sql`extract(hour from ${local}) = ${hour}`}`
}

/**
 * The conversations that a figure counts, newest first, one more than a page if there are more.
 * @param now for who has only just been asked: they have not left
 */
export async function drill(db: ProjectDb, scope: Scope, narrowed: Narrowed, now: Date): Promise<FactsRow[]> {
  const { language, page, wording, source, before } = narrowed
  const { rows } = await sql<FactsRow>`
    select c.gid, bots.gid as chatbot_gid, bots.name as chatbot_name, facts.started_at, facts.environment, facts.channel,
      facts.language, facts.messages, case when facts.silent > 0 then 'silent' when facts.resolved_bot > 0 then 'resolved_bot'
        when facts.resolved_person > 0 then 'resolved_person' else 'unresolved' end as outcome,
      case when facts.rated > 0 then facts.rating_sum end as rating
    from conversation_facts as facts
      join conversations as c on c.id = facts.conversation_id and c.project_id = facts.project_id
      join chatbots as bots on bots.id = facts.chatbot_id and bots.project_id = facts.project_id
    where ${isCounted(scope, narrowed, now)} and ${isAt(scope, narrowed)}
      and bots.deleting_since is null
      and ${language === undefined ? sql`true` : sql`facts.language = ${language}`}
      and ${page === undefined ? sql`true` : sql`facts.page = ${page}`}
      and ${
        wording === undefined
          ? sql`true`
          : sql`exists (select from asked_questions asked where asked.conversation_id = facts.conversation_id
              and asked.project_id = facts.project_id and asked.wording = ${wording})`
      }
      and ${
        source === undefined
          ? sql`true`
          : sql`exists (select from asked_questions asked where asked.conversation_id = facts.conversation_id
              and asked.project_id = facts.project_id and asked.sources @> array[${source}])`
      }
      and ${
        before === undefined
          ? sql`true`
          : sql`(facts.started_at, facts.conversation_id) < (
              select last.started_at, last.conversation_id from conversation_facts last
                join conversations lc on lc.id = last.conversation_id and lc.project_id = last.project_id
              where lc.gid = ${before} and last.project_id = ${scope.projectId})`
      }
    order by facts.started_at desc, facts.conversation_id desc
    limit ${DRILLED_PER_PAGE + 1}`.execute(db)
  return rows
}
