import type { RenderedRichText } from '../../../engine/values/richText'
import type { RunTask } from '../workers/createThreads'
import { runTask } from '../workers/runTask'
import { type RenderedMail, renderBody } from './renderBody'
import { renderMail as renderInThread } from './tasks'
import type { CommentMailProps } from './templates/CommentMail'
import type { CreditsMailProps } from './templates/CreditsMail'
import type { EmailChangeMailProps } from './templates/EmailChangeMail'
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
  | ({ template: 'email-change' } & EmailChangeMailProps)
  | ({ template: 'registration' } & RegistrationMailProps)
  | ({ template: 'password-changed' } & PasswordChangedMailProps)
  | ({ template: 'comment' } & CommentMailProps)
  | ({ template: 'credits' } & CreditsMailProps)

/** Longer ones take 50 ms and more: flows make them of what visitors wrote. */
const LONG = 1_000

/**
 * Renders a mail as HTML and as text; a long one in a thread.
 * @param owner the project, whose mails take turns with those of others
 * @throws TaskError where that takes too long
 */
export async function renderMail(body: MailBody, owner?: string, run: RunTask = runTask): Promise<RenderedMail> {
  return JSON.stringify(body).length > LONG ? run(renderInThread, body, { owner }) : renderBody(body)
}
