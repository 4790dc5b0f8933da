import type { RenderedRichText } from '../../../engine/values/richText'
import type { AnswerMailProps } from './templates/AnswerMail'
import type { BillingMailProps } from './templates/BillingMail'
import type { CommentMailProps } from './templates/CommentMail'
import type { ConnectionMailProps } from './templates/ConnectionMail'
import type { CreditsMailProps } from './templates/CreditsMail'
import type { EmailChangeMailProps } from './templates/EmailChangeMail'
import type { HandOffMailProps } from './templates/HandOffMail'
import type { InvitationMailProps } from './templates/InvitationMail'
import type { LeftMessageMailProps } from './templates/LeftMessageMail'
import type { NotificationsMailProps } from './templates/NotificationsMail'
import type { OverLimitMailProps } from './templates/OverLimitMail'
import type { PasswordChangedMailProps } from './templates/PasswordChangedMail'
import type { RegistrationMailProps } from './templates/RegistrationMail'
import type { ResetMailProps } from './templates/ResetMail'
import type { WeeklyMailProps } from './templates/WeeklyMail'
import type { WeeklyQuestionMailProps } from './templates/WeeklyQuestionMail'

/** What a mail says, by its template. */
export type MailBody =
  | { template: 'flow'; body: RenderedRichText }
  | ({ template: 'hand-off' } & HandOffMailProps)
  | ({ template: 'left-message' } & LeftMessageMailProps)
  | ({ template: 'invitation' } & InvitationMailProps)
  | ({ template: 'reset' } & ResetMailProps)
  | ({ template: 'email-change' } & EmailChangeMailProps)
  | ({ template: 'registration' } & RegistrationMailProps)
  | ({ template: 'password-changed' } & PasswordChangedMailProps)
  | ({ template: 'comment' } & CommentMailProps)
  | ({ template: 'connection' } & ConnectionMailProps)
  | ({ template: 'billing' } & BillingMailProps)
  | ({ template: 'credits' } & CreditsMailProps)
  | ({ template: 'over-limit' } & OverLimitMailProps)
  | ({ template: 'answer' } & AnswerMailProps)
  | ({ template: 'notifications' } & NotificationsMailProps)
  | ({ template: 'weekly' } & WeeklyMailProps)
  | ({ template: 'weekly-question' } & WeeklyQuestionMailProps)
