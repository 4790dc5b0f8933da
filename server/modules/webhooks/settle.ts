import type { ServerContext } from '../../platform/context'
import type { ProjectWork } from '../../platform/database/database'
import { appendEvent } from '../../platform/events/defineEvent'
import type { Attempted } from './attempt'
import { webhookStopped } from './events'
import { GONE, isGivenUp, nextAttempt } from './schedule'
import { mailStopped } from './stoppedMail'

/** A message whose attempt is over. `lease`: until when the attempt held it. */
export interface Taken {
  id: string
  project_id: string
  endpoint_id: string
  /** of the present round, before this one */
  attempts: number
  lease: Date
}

/**
 * Writes what came of an attempt: to the log, to the message and to its endpoint, which is switched off when it has
 * failed for too long. Who outlived their lease writes to the log alone.
 */
export async function settle(
  context: Pick<ServerContext, 'db' | 'clock' | 'jobs'>,
  { id, project_id, endpoint_id, attempts, lease }: Taken,
  attempted: Attempted,
): Promise<void> {
  const now = context.clock()
  const { asked, ...logged } = attempted
  const next = attempted.error === null ? null : nextAttempt(attempts + 1, now, asked)
  await context.db
    .forProject(project_id)
    .transaction()
    .execute(async (work) => {
      // in the order in which switching off locks them
      const endpoint = await work
        .selectFrom('webhook_endpoints')
        .select(['id', 'gid', 'enabled', 'failures', 'failing_since'])
        .where('id', '=', endpoint_id)
        .forNoKeyUpdate()
        .executeTakeFirst()
      // deleted meanwhile, with its messages
      if (!endpoint) return
      const { numUpdatedRows } = await work
        .updateTable('webhook_messages')
        .set({
          attempts: attempts + 1,
          next_at: next,
          status: attempted.error === null ? 'delivered' : next ? 'pending' : 'failed',
        })
        .where('id', '=', id)
        .where('status', '=', 'pending')
        .where('next_at', '=', lease)
        .executeTakeFirst()
      const message = await work.selectFrom('webhook_messages').select('id').where('id', '=', id).executeTakeFirst()
      if (message)
        await work
          .insertInto('webhook_attempts')
          .values({ project_id, message_id: id, ...logged })
          .execute()
      if (numUpdatedRows > 0n && endpoint.enabled) await count(context, work, { ...endpoint, project_id }, attempted)
    })
}

interface Counted {
  id: string
  gid: string
  project_id: string
  failures: number
  failing_since: Date | null
}

async function count(
  context: Pick<ServerContext, 'clock' | 'jobs'>,
  work: ProjectWork,
  { id, gid, project_id, failures, failing_since }: Counted,
  { error, status, at }: Attempted,
): Promise<void> {
  const endpoint = work.updateTable('webhook_endpoints').where('id', '=', id)
  if (error === null) {
    if (failures > 0) await endpoint.set({ failures: 0, failing_since: null }).execute()
    return
  }
  const now = context.clock()
  const since = failing_since ?? at
  await endpoint.set({ failures: failures + 1, failing_since: since }).execute()
  const reason = status === GONE ? 'gone' : isGivenUp(failures + 1, since, now) ? 'failures' : null
  if (reason === null) return
  await endpoint.set({ enabled: false, stopped: reason, stopped_at: now, updated_at: now }).execute()
  await giveUp(work, id)
  const origin = { projectId: project_id, by: { actor: 'system' }, correlation: `webhook.${gid}`, at: now } as const
  await appendEvent(work, webhookStopped, origin, { endpoint: gid, reason })
  await context.jobs.schedule(work, mailStopped, {
    payload: { endpoint: id, at: now.toISOString() },
    runAt: now,
    projectId: project_id,
  })
}

/** What waits for another attempt is not sent any more, until somebody sends it again. */
export const giveUp = (work: ProjectWork, endpointId: string) =>
  work
    .updateTable('webhook_messages')
    .set({ status: 'failed', next_at: null })
    .where('endpoint_id', '=', endpointId)
    .where('status', '=', 'pending')
    .execute()
