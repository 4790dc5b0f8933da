import { sql } from 'kysely'
import type { AnalyticsFilter } from '../../../contracts/analytics'
import { rowsIn, type Spans } from '../days/spans'
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

/** The condition on facts and questions, which know when the conversation began. */
export const inScope = (scope: Scope, alias: string) =>
  sql<boolean>`${inPlace(scope, alias)} and ${isWithin(sql`${sql.ref(`${alias}.started_at`)}`, scope.period)}`

/**
 * Some columns of the sums of a scope: those of its whole days, and of quarters before and after these.
 * @param by what they are kept apart by, besides the chatbot
 */
export function sumsIn(scope: Scope, { days, edges }: Spans, columns: readonly string[], by: readonly Kept[] = []) {
  const shown = sql.raw(['project_id', 'chatbot_id', ...by, ...columns].join(', '))
  return sql`(
    select ${shown} from ${rowsIn(days ? [days] : [], 'insight_days', 'day', inPlace(scope, 'insight_days'))}
    union all
    select ${shown} from ${rowsIn(edges, 'insight_rows', 'quarter', inPlace(scope, 'insight_rows'))}) as sums`
}
type Kept = 'language' | 'channel' | 'environment'
