import { cleanText } from '../../engine/values/cleanText'
import type { RenderedRichText } from '../../engine/values/richText'
import type { CommentMailProps } from './templates/CommentMail'
import type { CreditsMailProps } from './templates/CreditsMail'
import type { HandOffMailProps } from './templates/HandOffMail'
import type { InvitationMailProps } from './templates/InvitationMail'
import type { PasswordChangedMailProps } from './templates/PasswordChangedMail'
import type { RegistrationMailProps } from './templates/RegistrationMail'
import type { ResetMailProps } from './templates/ResetMail'

/** What a mail says, by its template. */
export type MailBody =
  | { template: 'flow'; body: RenderedRichText }
  | ({ template: 'hand-off' } & HandOffMailProps)
  | ({ template: 'invitation' } & InvitationMailProps)
  | ({ template: 'reset' } & ResetMailProps)
  | ({ template: 'registration' } & RegistrationMailProps)
  | ({ template: 'password-changed' } & PasswordChangedMailProps)
  | ({ template: 'comment' } & CommentMailProps)
  | ({ template: 'credits' } & CreditsMailProps)

/** Renders a mail as HTML and as text. React and the templates are loaded with the first mail: a server that sends none never has them. */
export async function renderMail(body: MailBody): Promise<{ html: string; text: string }> {
  const { renderTemplate } = await import('./templates/renderTemplate')
  const { html, text } = await renderTemplate(body)
  return { html: cleanText(html), text: cleanText(text) }
}
