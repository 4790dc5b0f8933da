import { sql } from 'kysely'
import type { AnalyticsFilter } from '../../../contracts/analytics'
import { isWithin, type Period } from './period'

/** Whose figures: `chatbotId` null: of all chatbots of the project. */
export interface Scope extends Pick<AnalyticsFilter, 'environment' | 'channel'> {
  projectId: string
  chatbotId: string | null
  period: Period
}

/** The condition on rows of a chatbot, an environment and a channel, whatever the period. */
export const inPlace = ({ projectId, chatbotId, environment, channel }: Scope, alias: string) => {
  const column = (name: string) => sql.ref(`${alias}.${name}`)
  return sql<boolean>`${column('project_id')} = ${projectId}
    and ${chatbotId === null ? sql`true` : sql`${column('chatbot_id')} = ${chatbotId}`}
    and ${environment === undefined ? sql`true` : sql`${column('environment')} = ${environment}`}
    and ${channel === undefined ? sql`true` : sql`${column('channel')} = ${channel}`}`
}

/** The condition on sums, which have a quarter, and on facts and questions, which know when the conversation began. */
export const inScope = (scope: Scope, alias: string, moment: 'quarter' | 'started_at' = 'quarter') =>
  sql<boolean>`${inPlace(scope, alias)} and ${isWithin(sql`${sql.ref(`${alias}.${moment}`)}`, scope.period)}`

/** The sums of a scope, as `rows`: the totals where no environment and no channel is chosen, which are far fewer. */
export const sumsIn = (scope: Scope) => {
  const { environment, channel } = scope
  const table = environment === undefined && channel === undefined ? 'insight_totals' : 'insight_rows'
  return sql`${sql.table(table)} as rows where ${inScope(scope, 'rows', 'quarter')}`
}
