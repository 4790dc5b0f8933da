import type { FastifyInstance } from 'fastify'
import { registerRoute } from '../../access/register'
import { receiveMailEvents } from '../../contracts/mailEvents'
import { listMails, MAILS_PER_PAGE, type MailEntry, readMail } from '../../contracts/mails'
import { sendsMails } from '../../platform/config/mailSettings'
import type { ServerContext } from '../../platform/context'
import type { ProjectDb } from '../../platform/database/database'
import { ApiError } from '../../platform/errors'
import { deliveryOf, listDeliveries } from './deliveries'
import { receiveEvents } from './receiveEvents'

/** Routes for a project's sent mails and its outbox. */
export function registerMails(app: FastifyInstance, context: ServerContext): void {
  const { config } = context

  const mailsOf = (db: ProjectDb) =>
    db
      .selectFrom('mails')
      .leftJoin('conversations', (join) =>
        join
          .onRef('conversations.id', '=', 'mails.conversation_id')
          .onRef('conversations.project_id', '=', 'mails.project_id'),
      )
      .leftJoin('chatbots', (join) =>
        join
          .onRef('chatbots.id', '=', 'conversations.chatbot_id')
          .onRef('chatbots.project_id', '=', 'mails.project_id'),
      )
      .select(['mails.gid', 'mails.status', 'mails.reason', 'mails.purpose', 'mails.from_name', 'mails.addresses'])
      .select(['mails.subject', 'mails.test', 'mails.deliveries', 'mails.created_at', 'chatbots.name as chatbot'])
  type Row = Awaited<ReturnType<ReturnType<typeof mailsOf>['executeTakeFirstOrThrow']>>

  const present = ({ from_name, addresses, deliveries, ...row }: Row): MailEntry => {
    const { to, cc, bcc, replyTo } = addresses
    const from = from_name ? `${from_name} <${config.mailFrom.address}>` : config.mailFrom.address
    const delivery = deliveryOf(deliveries)
    return { ...row, from, to, cc, bcc, reply_to: replyTo, delivery, created_at: row.created_at.toISOString() }
  }

  registerRoute(app, context, listMails, async ({ caller, query: { before } }) => {
    const rows = await mailsOf(caller.db)
      .$if(before !== undefined, (mails) =>
        mails.where('mails.id', '<', ({ selectFrom }) =>
          selectFrom('mails')
            .select('id')
            .where('gid', '=', before ?? ''),
        ),
      )
      .orderBy('mails.id', 'desc')
      .limit(MAILS_PER_PAGE + 1)
      .execute()
    return {
      mail_from: sendsMails(config) ? config.mailFrom.address : null,
      mails: rows.slice(0, MAILS_PER_PAGE).map(present),
      more: rows.length > MAILS_PER_PAGE,
    }
  })

  registerRoute(app, context, readMail, async ({ caller, params }) => {
    const row = await mailsOf(caller.db)
      .select(['mails.html', 'mails.body'])
      .where('mails.gid', '=', params.mgid)
      .executeTakeFirst()
    if (!row) throw new ApiError('not_found')
    const { html, body, ...entry } = row
    return { mail: { ...present(entry), html, text: body, deliveries: listDeliveries(entry.deliveries) } }
  })

  registerRoute(
    app,
    context,
    receiveMailEvents,
    async ({ body }) => {
      await receiveEvents(context, body)
      return {}
    },
    () => config.sendgrid?.webhookKey ?? null,
  )
}
