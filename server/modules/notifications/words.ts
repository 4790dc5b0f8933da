import type { InterfaceLanguage } from '../../contracts/languages'
import type { NotificationEntry } from '../../contracts/personalNotifications'
import { mailTexts } from '../../platform/mail/texts/mailTexts'

/** A notification in one sentence, for mails and pushes. */
export function sentenceOf(
  { kind, who, by }: Pick<NotificationEntry, 'kind' | 'who' | 'by'>,
  language: InterfaceLanguage,
): string {
  const said = mailTexts(language).notifications
  const visitor = who ?? said.visitor
  switch (kind) {
    case 'waiting':
    case 'handed_over':
    case 'new_conversation':
      return said[kind](visitor)
    case 'assigned':
    case 'mentioned':
      return said[kind](by)
    case 'new_contact':
      return said[kind](who)
  }
}

/** The screen that a notification is about. @param home the project's address, without a slash at the end */
export const linkOf = (home: string, { chatbot, conversation }: Pick<NotificationEntry, 'chatbot' | 'conversation'>) =>
  chatbot && conversation
    ? `${home}/chatbots/${chatbot.gid}/conversations/${conversation}`
    : chatbot
      ? `${home}/chatbots/${chatbot.gid}/leads`
      : home
