import type { TestEffectOf } from '../../../engine/flow/testEffects'
import type { Config } from '../../platform/config/config'
import { renderMail } from '../../platform/mail/renderMail'
import { contentOf, type Mail } from './createMailer'

/** Characters of a rendered mail that are kept with a test: a mail of a flow has some thousands. */
const KEPT = 200_000

/** A mail of a test as its readers see it, or would have. @returns what is wrong with it where it can't be sent */
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
