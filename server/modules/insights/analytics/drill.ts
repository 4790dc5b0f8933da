import { sql } from 'kysely'
import type { z } from 'zod'
import {
  type AgentFigureName,
  agentFigureNames,
  DRILLED_PER_PAGE,
  type DrilledConversation,
  type drillAnalytics,
  type FigureName,
} from '../../../contracts/analytics'
import type { ProjectDb } from '../../../platform/database/database'
import { inPlace, inScope, type Scope } from './scope'

type Query = z.infer<typeof drillAnalytics.query>
type Narrowed = Pick<Query, 'figure' | 'agent' | 'language' | 'page' | 'wording' | 'before'>

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

const counts = (figure: FigureName) =>
  figure === 'unanswered' ? sql<boolean>`questions > answered` : sql<boolean>`${sql.ref(`facts.${figure}`)} > 0`

const member = (agent: string | undefined) => sql`(select id from users where gid = ${agent ?? ''})`

/** The condition on facts. `agent_open` looks at conversations as they are at present, whenever they began. */
function isCounted(scope: Scope, { figure, agent }: Pick<Narrowed, 'figure' | 'agent'>) {
  if (figure === 'agent_open')
    return sql<boolean>`c.status = 'person' and c.assignee_id = ${member(agent)} and ${inPlace(scope, 'facts')}`
  const within = inScope(scope, 'facts', 'started_at')
  if (!isAgentFigure(figure)) return sql<boolean>`${within} and ${counts(figure)}`
  const name = figure.slice('agent_'.length)
  return sql<boolean>`${within} and exists (select from agent_facts own where own.conversation_id = facts.conversation_id
    and own.project_id = facts.project_id and own.user_id = ${member(agent)} and ${sql.ref(`own.${name}`)} > 0)`
}

/** The conversations that a figure counts, newest first, one more than a page if there are more. */
export async function drill(db: ProjectDb, scope: Scope, narrowed: Narrowed): Promise<FactsRow[]> {
  const { language, page, wording, before } = narrowed
  const { rows } = await sql<FactsRow>`
    select c.gid, bots.gid as chatbot_gid, bots.name as chatbot_name, facts.started_at, facts.environment, facts.channel,
      facts.language, facts.messages, case when facts.silent > 0 then 'silent' when facts.resolved_bot > 0 then 'resolved_bot'
        when facts.resolved_person > 0 then 'resolved_person' else 'unresolved' end as outcome,
      case when facts.rated > 0 then facts.rating_sum end as rating
    from conversation_facts as facts
      join conversations as c on c.id = facts.conversation_id and c.project_id = facts.project_id
      join chatbots as bots on bots.id = facts.chatbot_id and bots.project_id = facts.project_id
    where ${isCounted(scope, narrowed)}
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
