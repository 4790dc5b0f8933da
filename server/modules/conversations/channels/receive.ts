import type { Reply } from '../../../../engine/flow/conversation'
import { replyInWords } from '../../../../engine/flow/replyInWords'
import { plainRichText } from '../../../../engine/values/richText'
import type { ServerContext } from '../../../platform/context'
import { ApiError, isUniqueViolation } from '../../../platform/errors'
import { isBlockedAddress } from '../chat/blockedVisitors'
import type { ConversationRef } from '../conversations/conversationRef'
import type { Host, StartOptions } from '../runtime/createHost'
import { isReopenable } from '../runtime/rows'
import { visitorSays } from '../runtime/visitorSays'
import type { Channel, InboundRequest, Received } from './channel'

/** The chatbot that a channel's address belongs to, and the version that new conversations run on. */
export type ReceivingChatbot = Pick<StartOptions, 'projectId' | 'chatbotId' | 'versionId' | 'environment'>

/** Higher than any message's number: reads the question that waits, without messages. */
const NONE = 2_000_000_000

/**
 * Processes a channel's webhook request: the channel verifies and parses it; each message is added to the visitor's
 * open conversation, or starts one. The same message twice is added once, so that the channel may resend what was not
 * acknowledged.
 * @throws ApiError as the channel's `receive`; then nothing is stored
 */
export async function receive(
  { db }: Pick<ServerContext, 'db'>,
  host: Host,
  { name, channel, chatbot }: { name: string; channel: Channel; chatbot: ReceivingChatbot },
  request: InboundRequest,
): Promise<void> {
  const all = await channel.receive(request)
  async function take(received: Received): Promise<void> {
    if (await isKnown(received)) return
    const { projectId, chatbotId } = chatbot
    if (await isBlockedAddress(db.forProject(projectId), { chatbotId, channel: name, address: received.address }))
      return
    for (;;) {
      const present = (await findOpen(received.address)) ?? (await findReopenable(received.address))
      if (present) return answerAsVisitor(host, present, received)
      if (await begin(received)) return
    }
  }

  /** Whether the message exists in a conversation of the visitor, which may be closed by now. */
  async function isKnown({ address, messageId }: Received): Promise<boolean> {
    const known = await db
      .forProject(chatbot.projectId)
      .selectFrom('conversations')
      .innerJoin('messages', (join) =>
        join
          .onRef('messages.conversation_id', '=', 'conversations.id')
          .onRef('messages.project_id', '=', 'conversations.project_id'),
      )
      .select('seq')
      .where('conversations.project_id', '=', chatbot.projectId)
      .where('conversations.chatbot_id', '=', chatbot.chatbotId)
      .where('channel', '=', name)
      .where('address', '=', address)
      .where('messages.client_id', '=', messageId)
      .executeTakeFirst()
    return known !== undefined
  }

  const findOpen = (address: string): Promise<ConversationRef | undefined> =>
    db
      .forProject(chatbot.projectId)
      .selectFrom('conversations')
      .select(['id', 'project_id'])
      .where('project_id', '=', chatbot.projectId)
      .where('chatbot_id', '=', chatbot.chatbotId)
      .where('channel', '=', name)
      .where('environment', '=', chatbot.environment)
      .where('address', '=', address)
      .where('status', '<>', 'closed')
      .executeTakeFirst()

  /** The visitor's last conversation, if it is closed and a person had it: the message opens it again. */
  async function findReopenable(address: string): Promise<ConversationRef | undefined> {
    const last = await db
      .forProject(chatbot.projectId)
      .selectFrom('conversations')
      .select(['id', 'project_id', 'status', 'assignee_id'])
      .where('project_id', '=', chatbot.projectId)
      .where('chatbot_id', '=', chatbot.chatbotId)
      .where('channel', '=', name)
      .where('environment', '=', chatbot.environment)
      .where('address', '=', address)
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst()
    return last && isReopenable(last) ? last : undefined
  }

  /** False when another message of the visitor has started a conversation meanwhile. */
  async function begin({ address, messageId, text, language }: Received): Promise<boolean> {
    try {
      await host.start({
        ...chatbot,
        channel: name,
        address,
        clientId: messageId,
        startedBy: null,
        opening: { content: { kind: 'text', text: plainRichText(text) }, clientId: messageId },
        known: language === undefined ? {} : { language: language.toLowerCase() },
      })
      return true
    } catch (error) {
      if (isUniqueViolation(error)) return false
      throw error
    }
  }

  for (const received of all) await take(received)
}

/**
 * Adds a visitor's message to a conversation: the answer to its question, or, where the flow takes none now (a wait),
 * a message that it passes over. Sent again under the same id, it is one message.
 */
export async function answerAsVisitor(
  host: Pick<Host, 'read' | 'reply' | 'people'>,
  ref: ConversationRef,
  { messageId, text }: Pick<Received, 'messageId' | 'text'>,
): Promise<void> {
  const { state, session } = await host.read(ref, NONE)
  const reply = replyOf(text, state === 'waiting' ? session.request : null)
  try {
    await host.reply(ref, messageId, reply)
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'conflict') throw error
    const content = visitorSays(reply, session.request)
    await host.people.append(ref, [{ author: 2, content, clientId: messageId, ownWords: true }])
  }
}

/** A typed text selects the option with that label or number, if there are options. */
function replyOf(text: string, request: Parameters<typeof replyInWords>[0] | null): Reply {
  const words = request && replyInWords(request, text)
  return words && !('problem' in words) ? words : { type: 'text', text }
}
