import type { RenderedRichText } from '../../engine/values/richText'
import type { HandOffMailProps } from './templates/HandOffMail'

/** What a mail says, by its template. */
export type MailBody = { template: 'flow'; body: RenderedRichText } | ({ template: 'hand-off' } & HandOffMailProps)

/** Renders a mail as HTML and as text. React and the templates are loaded with the first mail: a server that sends none never has them. */
export async function renderMail(body: MailBody): Promise<{ html: string; text: string }> {
  const { renderTemplate } = await import('./templates/renderTemplate')
  return renderTemplate(body)
}
