import { sql } from 'kysely'
import type { Scope } from '../analytics/scope'

/** The condition on rows of days that are rolled up: those of the filter of a scope, where '' is any. */
export const passes = ({ projectId, chatbotId, environment, channel }: Scope, alias: string) => {
  const column = (name: string) => sql.ref(`${alias}.${name}`)
  return sql<boolean>`${column('project_id')} = ${projectId}
    and ${chatbotId === null ? sql`true` : sql`${column('chatbot_id')} = ${chatbotId}`}
    and ${column('environment')} = ${environment ?? ''} and ${column('channel')} = ${channel ?? ''}`
}

/** Each row counts under every choice of the `filter` that lets it through: '' is any. */
export const filters = (alias: string) => {
  const [environment, channel] = [sql.ref(`${alias}.environment`), sql.ref(`${alias}.channel`)]
  return sql`(values ('', ''), (${environment}, ''), ('', ${channel}), (${environment}, ${channel}))
    as filter (environment, channel)`
}
