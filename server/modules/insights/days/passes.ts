import { sql } from 'kysely'
import type { Scope } from '../analytics/scope'

/** The condition on rows of days that are rolled up: those of the filter of a scope, where '' is any. */
export const passes = ({ projectId, chatbotId, environment, channel }: Scope, alias: string) => {
  const column = (name: string) => sql.ref(`${alias}.${name}`)
  return sql<boolean>`${column('project_id')} = ${projectId}
    and ${chatbotId === null ? sql`true` : sql`${column('chatbot_id')} = ${chatbotId}`}
    and ${column('environment')} = ${environment ?? ''} and ${column('channel')} = ${channel ?? ''}`
}
