import type { TestEffectOf } from '../../../engine/flow/testEffects'
import type { Config } from '../../platform/config/config'
import { renderMail } from '../../platform/mail/renderMail'
import { contentOf, type Mail } from './createMailer'

/** Characters of a rendered mail stored with a test: usual mails have some thousands. */
const KEPT = 200_000

/** A test's mail as its recipients see it, or would. @returns its problem if it can't be sent */
export async function shownMail(
  { mailFrom }: Pick<Config, 'mailFrom'>,
  mail: Pick<Mail, 'fromName' | 'to' | 'cc' | 'bcc' | 'replyTo' | 'subject' | 'body'>,
  carriedOut: boolean,
): Promise<TestEffectOf<'mail'> | { problem: string }> {
  const { content, problem } = contentOf({ ...mail, test: carriedOut })
  if (problem !== null) return { problem }
  const { fromName, to, cc, bcc, replyTo, subject } = content
  const { html, text } = await renderMail(mail.body)
  const from = `${fromName || mailFrom.name} <${mailFrom.address}>`
  return {
    type: 'mail',
    carriedOut,
    from,
    to,
    cc,
    bcc,
    replyTo,
    subject,
    html: html.slice(0, KEPT),
    text: text.slice(0, KEPT),
  }
}
