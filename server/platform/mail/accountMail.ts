import { randomUUID } from 'node:crypto'
import type { ServerContext } from '../context'
import { checkContent } from './content'
import { deliveryOf } from './deliveryOf'
import type { MailBody } from './mailBody'
import { deliverPatiently } from './patience'
import { renderMail } from './renderMail'

export type AccountMailer = (to: string, subject: string, body: MailBody) => Promise<void>

/**
 * Creates the mailer for messages about a person's account. These mails belong to no project and are not stored:
 * readers of an outbox could take over accounts with a password link. Null without a mail server. A mail that can't be
 * delivered is logged, without its text.
 */
export function createAccountMailer({
  config,
  clock,
  log,
}: Pick<ServerContext, 'config' | 'clock' | 'log'>): AccountMailer | null {
  const deliver = deliveryOf({ config, clock })
  if (!deliver) return null
  return async (to, subject, body) => {
    const { content, problem } = checkContent({ fromName: '', to: [to], cc: [], bcc: [], replyTo: [], subject })
    if (problem) return log.warn({ to, problem }, 'a mail about an account could not be sent')
    const messageId = `<${randomUUID()}@${config.mailFrom.address.split('@').at(-1)}>`
    const delivery = await deliverPatiently(deliver, { ...content, messageId, ...(await renderMail(body)) })
    if (!delivery.ok) log.warn({ to, reason: delivery.reason }, 'a mail about an account could not be sent')
  }
}
