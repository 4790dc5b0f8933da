import { sql } from 'kysely'
import type { z } from 'zod'
import {
  DRILLED_PER_PAGE,
  type DrilledConversation,
  type drillAnalytics,
  type FigureName,
} from '../../../contracts/analytics'
import type { ProjectDb } from '../../../platform/database/database'
import { isWithin } from './period'
import { inScope, type Scope } from './readAnalytics'

type Query = z.infer<typeof drillAnalytics.query>
type Narrowed = Pick<Query, 'figure' | 'language' | 'page' | 'wording' | 'before'>

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

const counts = (figure: FigureName) =>
  figure === 'unanswered' ? sql<boolean>`questions > answered` : sql<boolean>`${sql.ref(`facts.${figure}`)} > 0`

/** The conversations that a figure counts, newest first, one more than a page if there are more. */
export async function drill(db: ProjectDb, scope: Scope, narrowed: Narrowed): Promise<FactsRow[]> {
  const { figure, language, page, wording, before } = narrowed
  const { rows } = await sql<FactsRow>`
    select c.gid, bots.gid as chatbot_gid, bots.name as chatbot_name, facts.started_at, facts.environment, facts.channel,
      facts.language, facts.messages, case when facts.silent > 0 then 'silent' when facts.resolved_bot > 0 then 'resolved_bot'
        when facts.resolved_person > 0 then 'resolved_person' else 'unresolved' end as outcome,
      case when facts.rated > 0 then facts.rating_sum end as rating
    from conversation_facts as facts
      join conversations as c on c.id = facts.conversation_id and c.project_id = facts.project_id
      join chatbots as bots on bots.id = facts.chatbot_id and bots.project_id = facts.project_id
    where ${inScope(scope, 'facts')} and ${isWithin(sql`facts.started_at`, scope.period)} and ${counts(figure)}
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
