import { createHash } from 'node:crypto'
import { cleanText } from '../../../engine/values/cleanText'
import { isUniqueViolation } from '../../platform/errors'
import type { Installation } from '../../platform/installation'
import { checkContent, type MailContent } from '../../platform/mail/content'
import { deliveryOf } from '../../platform/mail/deliveryOf'
import type { MailBody } from '../../platform/mail/mailBody'
import { deliverPatiently, type Patience } from '../../platform/mail/patience'
import { renderMail } from '../../platform/mail/renderMail'
import type { Deliver, MailThread, OutgoingMail } from '../../platform/mail/smtp'
import { returnCredits, takeCredits } from '../billing/monthlyCredits'
import type { MailsTable } from './tables'

export interface Mail extends MailContent {
  projectId: string
  conversationId: string | null
  /** the same key is the same mail: it is sent once, and its status is returned */
  key: string
  purpose: MailsTable['purpose']
  body: MailBody
  /** costs a credit although no flow sends it: it goes to an address named by a flow */
  charged?: boolean
  /** sent by a test: marked for its recipients and in the outbox */
  test?: boolean
  /** the mails that it belongs to, and how its recipient ends such mails */
  thread?: MailThread
  /** stored instead of the body, if that contains something that only the recipient may read */
  keptBody?: MailBody
  /** stored without the address that replies go to: who knows it speaks for the recipient */
  hidesReplyTo?: boolean
}

export type Sent =
  | { ok: true; messageId: string; status: 'sent' | 'outbox'; refused: string[] }
  | { ok: false; error: string }

export type Mailer = (mail: Mail) => Promise<Sent>

interface MailerOptions extends Patience {
  /** null: there is no mail server, and mails stay in the outbox */
  deliver?: Deliver | null
}

/**
 * Creates the mailer: sends over the configured server or service, otherwise stores mails in the outbox. Each mail is a
 * row of `mails` with its status. A flow's mail costs an email credit, which is returned if it fails.
 */
export function createMailer(context: Installation, options: MailerOptions = {}): Mailer {
  const { db, clock, ids, config } = context
  const { deliver = deliveryOf(context), ...patience } = options

  return async (mail) => {
    const own = db.forProject(mail.projectId)
    const known = await find(mail)
    if (known && known.status !== 'sending') return answerOf(known)

    const { content, problem } = contentOf(mail)
    const use = { projectId: mail.projectId, credit: 'email_credits', key: mail.key } as const
    const isCharged = mail.purpose === 'flow' || mail.charged === true
    const isPaid = problem !== null || !isCharged || (await takeCredits(own, { ...use, amount: 1, at: clock() }))
    const refusal = problem ?? (isPaid ? null : 'The email credits of this month are used up.')
    const outgoing = {
      ...content,
      messageId: messageIdOf(mail.key, config.mailFrom.address),
      test: mail.test ?? false,
      ...(mail.thread && { thread: mail.thread }),
      ...(await renderMail(mail.body, mail.projectId)),
    }
    const kept = mail.keptBody ? { ...outgoing, ...(await renderMail(mail.keptBody, mail.projectId)) } : outgoing
    const status = refusal !== null ? 'failed' : deliver ? 'sending' : 'outbox'
    // after a crash from here on it is sent again under the same Message-ID, by which mail programs detect duplicates
    if (!known && !(await insert(mail, kept, status, refusal))) return answerOf(await find(mail))
    if (refusal !== null) return { ok: false, error: refusal }
    if (!deliver) return { ok: true, messageId: outgoing.messageId, status: 'outbox', refused: [] }

    const delivery = await deliverPatiently(deliver, outgoing, patience)
    const refused = delivery.ok ? delivery.refused : []
    const reason = delivery.ok ? (refused.length > 0 ? `Refused: ${refused.join(', ')}` : null) : delivery.reason
    await own.transaction().execute(async (work) => {
      await work
        .updateTable('mails')
        .set({ status: delivery.ok ? 'sent' : 'failed', reason: reason && cleanText(reason), sent_at: clock() })
        .where('project_id', '=', mail.projectId)
        .where('key', '=', mail.key)
        .execute()
      if (!delivery.ok && isCharged) await returnCredits(work, use)
    })
    return delivery.ok
      ? { ok: true, messageId: outgoing.messageId, status: 'sent', refused }
      : { ok: false, error: delivery.reason }
  }

  function find({ projectId, key }: Mail) {
    return db
      .forProject(projectId)
      .selectFrom('mails')
      .select(['status', 'reason', 'message_id'])
      .where('project_id', '=', projectId)
      .where('key', '=', key)
      .executeTakeFirst()
  }

  /** False if another process was faster. */
  async function insert(
    mail: Mail,
    kept: OutgoingMail,
    status: MailsTable['status'],
    reason: string | null,
  ): Promise<boolean> {
    const { to, cc, bcc } = kept
    const replyTo = mail.hidesReplyTo ? [] : kept.replyTo
    const values = {
      gid: ids(),
      project_id: mail.projectId,
      conversation_id: mail.conversationId,
      key: mail.key,
      purpose: mail.purpose,
      status,
      reason,
      message_id: kept.messageId,
      test: mail.test ?? false,
      from_name: kept.fromName || config.mailFrom.name,
      addresses: JSON.stringify({ to, cc, bcc, replyTo }),
      subject: kept.subject,
      html: kept.html,
      body: kept.text,
      created_at: clock(),
    }
    try {
      await db.forProject(mail.projectId).insertInto('mails').values(values).execute()
      return true
    } catch (error) {
      if (isUniqueViolation(error)) return false
      throw error
    }
  }
}

/** The content, sanitized for headers, and its first problem. */
export function contentOf(mail: MailContent & Pick<Mail, 'test'>): ReturnType<typeof checkContent> {
  const { content, problem } = checkContent(mail)
  return { content: mail.test ? { ...content, subject: `[Test] ${content.subject}` } : content, problem }
}

function answerOf(row: Pick<MailsTable, 'status' | 'reason' | 'message_id'> | undefined): Sent {
  if (row?.status === 'sent' || row?.status === 'outbox') {
    return { ok: true, messageId: row.message_id, status: row.status, refused: [] }
  }
  return { ok: false, error: row?.reason ?? 'The mail is being sent by somebody else.' }
}

/** The same key gives the same id, by which mail programs detect duplicates. */
function messageIdOf(key: string, from: string): string {
  const hash = createHash('sha256').update(key).digest('hex').slice(0, 32)
  return `<${hash}@${from.slice(from.lastIndexOf('@') + 1)}>`
}
