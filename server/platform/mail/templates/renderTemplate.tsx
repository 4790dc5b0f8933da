import { render, toPlainText } from '@react-email/render'
import type { ReactElement } from 'react'
import type { MailBody } from '../mailBody'
import { AnswerMail } from './AnswerMail'
import { BillingMail } from './BillingMail'
import { CommentMail } from './CommentMail'
import { ConnectionMail } from './ConnectionMail'
import { CreditsMail } from './CreditsMail'
import { EmailChangeMail } from './EmailChangeMail'
import { FlowMail } from './FlowMail'
import { HandOffMail } from './HandOffMail'
import { InvitationMail } from './InvitationMail'
import { LeftMessageMail } from './LeftMessageMail'
import { NotificationsMail } from './NotificationsMail'
import { OverLimitMail } from './OverLimitMail'
import { PasswordChangedMail } from './PasswordChangedMail'
import { RegistrationMail } from './RegistrationMail'
import { ResetMail } from './ResetMail'
import { SecurityMail } from './SecurityMail'
import { WeeklyMail } from './WeeklyMail'
import { WeeklyQuestionMail } from './WeeklyQuestionMail'

/** The only entry point of this folder; used by `renderMail`. */
export async function renderTemplate(mail: MailBody): Promise<{ html: string; text: string }> {
  const html = await render(templateOf(mail))
  return { html, text: toPlainText(html) }
}

function templateOf(mail: MailBody): ReactElement {
  switch (mail.template) {
    case 'flow':
      return <FlowMail body={mail.body} />
    case 'hand-off':
      return <HandOffMail {...mail} />
    case 'answer':
      return <AnswerMail {...mail} />
    case 'left-message':
      return <LeftMessageMail {...mail} />
    case 'invitation':
      return <InvitationMail {...mail} />
    case 'email-change':
      return <EmailChangeMail {...mail} />
    case 'registration':
      return <RegistrationMail {...mail} />
    case 'reset':
      return <ResetMail {...mail} />
    case 'password-changed':
      return <PasswordChangedMail {...mail} />
    case 'security':
      return <SecurityMail {...mail} />
    case 'comment':
      return <CommentMail {...mail} />
    case 'connection':
      return <ConnectionMail {...mail} />
    case 'billing':
      return <BillingMail {...mail} />
    case 'credits':
      return <CreditsMail {...mail} />
    case 'over-limit':
      return <OverLimitMail {...mail} />
    case 'notifications':
      return <NotificationsMail {...mail} />
    case 'weekly':
      return <WeeklyMail {...mail} />
    case 'weekly-question':
      return <WeeklyQuestionMail {...mail} />
  }
}
