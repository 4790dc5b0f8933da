import type { FastifyInstance } from 'fastify'
import type { ProjectCaller } from '../../access/access'
import { entitlementsOf } from '../../access/entitlements'
import { ownersOf } from '../../access/owners'
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

/** Routes for the mails that a project sends to its members. */
export function registerNotifications(app: FastifyInstance, context: ServerContext): void {
  const { clock } = context

  async function read({ db, project: { id, ...project } }: ProjectCaller): Promise<NotificationSettings> {
    const row = await db
      .selectFrom('projects')
      .select(['credit_notices', 'credit_notice_emails', 'credit_notice_thresholds'])
      .select(['new_contact_notices', 'new_contact_emails', 'waiting_notice_minutes'])
      .select(['new_conversation_notices', 'new_conversation_emails'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    const { month } = await usedMessageCredits(db, id, clock())
    return {
      owners: await ownersOf(db, id),
      new_contact: { enabled: row.new_contact_notices, emails: row.new_contact_emails },
      new_conversation: { enabled: row.new_conversation_notices, emails: row.new_conversation_emails },
      waiting_minutes: row.waiting_notice_minutes,
      ai_credits_usage: {
        enabled: row.credit_notices,
        emails: row.credit_notice_emails,
        thresholds: creditThresholds.filter((share) => row.credit_notice_thresholds.includes(share)),
        used: month,
        max: entitlementsOf(project).limits.ai_message_credits,
      },
    }
  }

  registerRoute(app, context, readNotifications, ({ caller }) => read(caller))

  registerRoute(app, context, updateNotifications, async ({ caller, body, origin }) => {
    const { ai_credits_usage: credits, new_contact: contact, new_conversation: conversation } = body
    await caller.db.transaction().execute(async (trx) => {
      await trx
        .updateTable('projects')
        .set({
          updated_at: clock(),
          ...(credits?.enabled !== undefined && { credit_notices: credits.enabled }),
          ...(credits?.emails && { credit_notice_emails: credits.emails }),
          ...(credits?.thresholds && { credit_notice_thresholds: credits.thresholds }),
          ...(contact?.enabled !== undefined && { new_contact_notices: contact.enabled }),
          ...(contact?.emails && { new_contact_emails: contact.emails }),
          ...(conversation?.enabled !== undefined && { new_conversation_notices: conversation.enabled }),
          ...(conversation?.emails && { new_conversation_emails: conversation.emails }),
          ...(body.waiting_minutes !== undefined && { waiting_notice_minutes: body.waiting_minutes }),
        })
        .where('id', '=', caller.project.id)
        .execute()
      await appendEvent(trx, notificationsChanged, origin, { fields: Object.keys(body) })
    })
    return read(caller)
  })
}
