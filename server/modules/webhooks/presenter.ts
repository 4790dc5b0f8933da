import { type Selectable, sql } from 'kysely'
import type { WebhookAttempt, WebhookEndpoint, WebhookMessage } from '../../contracts/webhooks'
import type { ProjectDb } from '../../platform/database/database'
import type { WebhookAttemptsTable } from './tables'

/** A project's endpoints as they are shown, oldest first. */
export async function readEndpoints(db: ProjectDb, projectId: string, gid?: string): Promise<WebhookEndpoint[]> {
  const rows = await db
    .selectFrom('webhook_endpoints')
    .selectAll()
    .select(({ selectFrom }) =>
      selectFrom('webhook_messages')
        .select(({ fn }) => fn.countAll<string>().as('count'))
        .whereRef('webhook_messages.endpoint_id', '=', 'webhook_endpoints.id')
        .where('status', '=', 'pending')
        .as('pending'),
    )
    .where('project_id', '=', projectId)
    .$if(gid !== undefined, (one) => one.where('gid', '=', gid ?? ''))
    .orderBy('id')
    .execute()
  return rows.map((row) => ({
    gid: row.gid,
    url: row.url,
    description: row.description,
    events: row.events,
    personal: row.personal,
    enabled: row.enabled,
    stopped: row.stopped,
    stopped_at: row.stopped_at?.toISOString() ?? null,
    failures: row.failures,
    failing_since: row.failing_since?.toISOString() ?? null,
    old_secret_until: row.old_secret_until?.toISOString() ?? null,
    pending: Number(row.pending ?? 0),
    created_at: row.created_at.toISOString(),
  }))
}

/** An endpoint's messages with the last attempt of each. */
export const messageRows = (db: ProjectDb, endpointId: string) =>
  db
    .selectFrom('webhook_messages')
    .select(['id', 'gid', 'type', 'status', 'next_at', 'created_at'])
    .select(sql<boolean>`event_id is null`.as('test'))
    .select(({ selectFrom }) =>
      selectFrom('webhook_attempts')
        .select(({ fn }) => fn.countAll<string>().as('count'))
        .whereRef('webhook_attempts.message_id', '=', 'webhook_messages.id')
        .as('attempts'),
    )
    .select(({ selectFrom }) =>
      selectFrom('webhook_attempts')
        .select(({ fn }) => fn.max('webhook_attempts.id').as('id'))
        .whereRef('webhook_attempts.message_id', '=', 'webhook_messages.id')
        .as('last_id'),
    )
    .where('endpoint_id', '=', endpointId)

type MessageRow = Awaited<ReturnType<ReturnType<typeof messageRows>['execute']>>[number]

/** Rows of messages as they are shown. @param mayRead whether the caller may read what was answered */
export async function presentMessages(
  db: ProjectDb,
  rows: readonly MessageRow[],
  mayRead: boolean,
): Promise<WebhookMessage[]> {
  const ids = rows.flatMap(({ last_id }) => (last_id === null ? [] : [last_id]))
  const last =
    ids.length === 0 ? [] : await db.selectFrom('webhook_attempts').selectAll().where('id', 'in', ids).execute()
  return rows.map(({ gid, type, test, status, attempts, next_at, created_at, last_id }) => {
    const attempt = last.find(({ id }) => id === last_id)
    return {
      ...{ gid, type, test, status, attempts: Number(attempts ?? 0) },
      next_at: next_at?.toISOString() ?? null,
      last: attempt ? presentAttempt(attempt, mayRead) : null,
      created_at: created_at.toISOString(),
    }
  })
}

/** What was answered may repeat what was sent: it is for those who may read that. */
export const presentAttempt = (row: Selectable<WebhookAttemptsTable>, mayRead: boolean): WebhookAttempt => ({
  at: row.at.toISOString(),
  duration: row.duration,
  status: row.status,
  answer: mayRead ? row.answer : '',
  error: row.error,
})
