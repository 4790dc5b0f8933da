import { continuationSchema } from '../../../contracts/web/settings'
import type { ServerContext } from '../../../platform/context'
import type { HandledJob } from '../../../platform/jobs/defineJob'
import type { Mailer } from '../../mails/createMailer'
import { answerMail } from './answerMail'
import { claimAnswers, settleAnswers } from './claimAnswers'
import { MINUTE, mailAnswers } from './noteAnswers'
import type { ThreadKeys } from './threadKeys'

/** A page that was open so long ago may be open still: it says so each minute. */
export const WATCHED_MS = 2.5 * MINUTE
/** How long the link of a mail opens the conversation. */
const LINK_DAYS = 30
const DAY = 24 * 60 * MINUTE

interface Parts {
  keys: ThreadKeys
  send: Mailer
  /** the address that replies to a thread's mails go to; null: none is set */
  replyTo: (projectId: string, token: string) => Promise<string | null>
}

/**
 * The job that mails a visitor who has left what people have answered: each answer in one mail, however often it runs.
 */
export function createAnswerMails(context: ServerContext, { keys, send, replyTo }: Parts): HandledJob {
  return mailAnswers.handledBy(async ({ conversation: id }, { projectId }) => {
    if (projectId === null) return undefined
    const db = context.db.forProject(projectId)
    const row = await db
      .selectFrom('mail_threads')
      .innerJoin('conversations', 'conversations.id', 'mail_threads.conversation_id')
      .innerJoin('chatbots', 'chatbots.id', 'conversations.chatbot_id')
      .leftJoin('web_chats', 'web_chats.chatbot_id', 'conversations.chatbot_id')
      .select(['mail_threads.watched_at', 'web_chats.continuation', 'chatbots.deleting_since'])
      .where('mail_threads.conversation_id', '=', id)
      .executeTakeFirst()
    if (!row || row.deleting_since !== null) return undefined
    const { enabled, delay_minutes } = continuationSchema.parse(row.continuation ?? {})
    if (!enabled) return undefined
    const now = context.clock()
    // who still has the page open may yet look at it: looked at again once they may have left
    if (row.watched_at && now.getTime() - row.watched_at.getTime() < WATCHED_MS)
      return new Date(now.getTime() + delay_minutes * MINUTE)
    const claimed = await claimAnswers(db, id, context.ids())
    if (!claimed) return undefined
    const place = { projectId, conversationId: id }
    const tokens = keys.open(claimed.sealedKey, place)
    if (!tokens)
      throw new Error('The key of a thread of mails can’t be opened: SECRET_KEYS lacks the key it was sealed with.')
    const address = await replyTo(projectId, tokens.reply)
    const until = new Date(now.getTime() + LINK_DAYS * DAY)
    // before the mail goes: who opens it at once is let in
    await db.updateTable('mail_threads').set({ link_until: until }).where('conversation_id', '=', id).execute()
    const mail = await answerMail(db, place, claimed, { config: context.config, tokens, replyTo: address })
    const sent = await send(mail)
    if (!sent.ok) {
      // the next attempt is a new mail: this one is in the outbox as failed
      await db
        .updateTable('mail_threads')
        .set({ mailing_seq: null, mailing_key: null })
        .where('conversation_id', '=', id)
        .execute()
      throw new Error(`A visitor could not be mailed an answer: ${sent.error}`)
    }
    await settleAnswers(db, id, claimed, { messageId: sent.messageId, until })
    return undefined
  })
}
