import type { NotificationEntry } from '../../contracts/personalNotifications'

/** A notification in one sentence, for mails and pushes. */
export function sentenceOf({ kind, who, by }: Pick<NotificationEntry, 'kind' | 'who' | 'by'>): string {
  const visitor = who ?? 'A visitor'
  switch (kind) {
    case 'waiting':
      return `${visitor} is still waiting for an answer`
    case 'handed_over':
      return `${visitor} asked for a person`
    case 'assigned':
      return by === null ? `A conversation was assigned to you` : `${by} assigned a conversation to you`
    case 'mentioned':
      return `${by ?? 'Somebody'} mentioned you in a note`
    case 'new_conversation':
      return `${visitor} began a conversation`
    case 'new_contact':
      return who === null ? 'There is a new contact' : `${who} is a new contact`
  }
}

/** The screen that a notification is about. @param home the project's address, without a slash at the end */
export const linkOf = (home: string, { chatbot, conversation }: Pick<NotificationEntry, 'chatbot' | 'conversation'>) =>
  chatbot && conversation
    ? `${home}/chatbots/${chatbot.gid}/conversations/${conversation}`
    : chatbot
      ? `${home}/chatbots/${chatbot.gid}/leads`
      : home
