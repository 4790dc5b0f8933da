import type { FastifyInstance } from 'fastify'
import type { ProjectCaller } from '../../access/access'
import { planOf } from '../../access/plans'
import { registerRoute } from '../../access/register'
import {
  creditThresholds,
  type NotificationSettings,
  readNotifications,
  updateNotifications,
} from '../../contracts/notifications'
import type { ServerContext } from '../../platform/context'
import { appendEvent } from '../../platform/events/defineEvent'
import { usedMessageCredits } from '../billing/credits'
import { notificationsChanged } from './events'
import { ownersOf } from './notices'

/** Routes for the mails that a project sends to its members. */
export function registerNotifications(app: FastifyInstance, context: ServerContext): void {
  const { clock } = context

  async function read({ db, project: { id, plan_id } }: ProjectCaller): Promise<NotificationSettings> {
    const row = await db
      .selectFrom('projects')
      .select(['credit_notices', 'credit_notice_emails', 'credit_notice_thresholds'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    const { month } = await usedMessageCredits(db, id, clock())
    return {
      ai_credits_usage: {
        enabled: row.credit_notices,
        emails: row.credit_notice_emails,
        thresholds: creditThresholds.filter((share) => row.credit_notice_thresholds.includes(share)),
        owners: await ownersOf(db, id),
        used: month,
        max: planOf(plan_id).limits.ai_message_credits,
      },
    }
  }

  registerRoute(app, context, readNotifications, ({ caller }) => read(caller))

  registerRoute(app, context, updateNotifications, async ({ caller, body, origin }) => {
    const { enabled, emails, thresholds } = body.ai_credits_usage
    await caller.db.transaction().execute(async (trx) => {
      await trx
        .updateTable('projects')
        .set({
          updated_at: clock(),
          ...(enabled !== undefined && { credit_notices: enabled }),
          ...(emails && { credit_notice_emails: emails }),
          ...(thresholds && { credit_notice_thresholds: thresholds }),
        })
        .where('id', '=', caller.project.id)
        .execute()
      await appendEvent(trx, notificationsChanged, origin, { fields: Object.keys(body.ai_credits_usage) })
    })
    return read(caller)
  })
}
