import { render, toPlainText } from '@react-email/render'
import type { MailBody } from '../renderMail'
import { FlowMail } from './FlowMail'
import { HandOffMail } from './HandOffMail'

/** The only door into this folder; `renderMail` opens it. */
export async function renderTemplate(mail: MailBody): Promise<{ html: string; text: string }> {
  const html = await render(mail.template === 'flow' ? <FlowMail body={mail.body} /> : <HandOffMail {...mail} />)
  return { html, text: toPlainText(html) }
}
