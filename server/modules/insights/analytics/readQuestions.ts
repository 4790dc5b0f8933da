import { sql } from 'kysely'
import { type AnalyticsDetail, TOP } from '../../../contracts/analytics'
import type { ProjectDb } from '../../../platform/database/database'
import { inScope, type Scope } from './scope'

interface QuestionRow {
  list: 'asked' | 'unanswered'
  wording: string
  question: string
  asked: string
  answered: string
}

/** Grouped by numbers that stand for wordings; the few that are shown are read from the last conversation of each. */
export async function readQuestions(
  db: ProjectDb,
  scope: Scope,
): Promise<Pick<AnalyticsDetail, 'top_questions' | 'unanswered'>> {
  const { rows } = await sql<QuestionRow>`
    with counted as materialized (
      select wording_hash, count(*) as asked, count(*) filter (where answered) as answered, max(conversation_id) as last
      from asked_questions as asked where ${inScope(scope, 'asked', 'started_at')} and wording_hash <> hashtextextended('', 0)
      group by wording_hash),
    shown as (
      (select 'asked' as list, counted.* from counted order by asked desc, wording_hash limit ${TOP})
      union all
      (select 'unanswered' as list, counted.* from counted where asked > answered
        order by asked - answered desc, wording_hash limit ${TOP}))
    select shown.list, said.wording, said.question, shown.asked, shown.answered
    from shown cross join lateral (
      select wording, question from asked_questions as said
      where said.conversation_id = shown.last and said.project_id = ${scope.projectId} and said.wording_hash = shown.wording_hash
      order by said.position desc limit 1) as said
    order by shown.list, case shown.list when 'asked' then shown.asked else shown.asked - shown.answered end desc,
      shown.wording_hash`.execute(db)
  const of = (list: QuestionRow['list']) =>
    rows
      .filter((row) => row.list === list)
      .map(({ wording, question, ...row }) => ({
        ...{ wording, question },
        ...{ asked: Number(row.asked), answered: Number(row.answered) },
      }))
  return { top_questions: of('asked'), unanswered: of('unanswered') }
}
