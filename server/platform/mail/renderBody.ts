import { cleanText } from '../../../engine/values/cleanText'
import type { MailBody } from './mailBody'

export interface RenderedMail {
  html: string
  text: string
}

/**
 * Renders a mail in this thread. React and the templates are loaded with the first one, so a server that sends no mail
 * never loads them.
 */
export async function renderBody(body: MailBody): Promise<RenderedMail> {
  const { renderTemplate } = await import('./templates/renderTemplate')
  const { html, text } = await renderTemplate(body)
  return { html: cleanText(html), text: cleanText(text) }
}
