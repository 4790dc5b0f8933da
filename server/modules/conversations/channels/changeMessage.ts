import type { BotMessage } from '../../../../engine/flow/conversation'
import { messageToString } from '../../../../engine/flow/conversationWords'
import { searchedText } from '../../../../engine/run/recordingWords'
import { plainRichText } from '../../../../engine/values/richText'
import type { ProjectDb } from '../../../platform/database/database'
import { appendEvent } from '../../../platform/events/defineEvent'
import { messageChanged } from '../events'

/** What a visitor did to an earlier message of theirs. */
export type MessageChange = { type: 'edited'; text: string } | { type: 'deleted' }

interface Place {
  projectId: string
  chatbotId: string
  channel: string
  address: string
  /** as the channel called it when it was received */
  messageId: string
}

/**
 * Notes that a visitor has edited or deleted a message. It answers no question again: the conversation shows what it
 * says now, and what it said before. Noted twice, it is noted once.
 * @returns the conversation; null if there is no such message, or what was edited has no text
 */
export async function changeMessage(
  own: ProjectDb,
  { projectId, chatbotId, channel, address, messageId }: Place,
  change: MessageChange,
  at: Date,
): Promise<string | null> {
  return own.transaction().execute(async (work) => {
    const rows = await work
      .selectFrom('messages')
      .innerJoin('conversations', (join) =>
        join
          .onRef('conversations.id', '=', 'messages.conversation_id')
          .onRef('conversations.project_id', '=', 'messages.project_id'),
      )
      .select(['conversations.id', 'conversations.gid', 'messages.seq', 'messages.content'])
      .where('messages.project_id', '=', projectId)
      .where('conversations.project_id', '=', projectId)
      .where('conversations.chatbot_id', '=', chatbotId)
      .where('conversations.channel', '=', channel)
      .where('conversations.address', '=', address)
      .where('messages.author', '=', 2)
      // files stand in a message of their own
      .where('messages.client_id', 'in', [messageId, `${messageId}-files`])
      .orderBy('messages.seq')
      .forUpdate('messages')
      .execute()
    let conversation: string | null = null
    for (const { id, gid, seq, content } of rows) {
      const changed = changedContent(content, change)
      if (!changed) continue
      await work
        .updateTable('messages')
        .set({ content: JSON.stringify(changed), words: searchedText(changed) })
        .where('conversation_id', '=', id)
        .where('project_id', '=', projectId)
        .where('seq', '=', seq)
        .execute()
      const told = { projectId, by: { actor: 'visitor' as const }, correlation: gid, at }
      await appendEvent(work, messageChanged, told, { conversation: gid, seq, change: change.type })
      conversation = id
    }
    return conversation
  })
}

function changedContent(content: BotMessage, change: MessageChange): BotMessage | null {
  if (content.kind !== 'text' && content.kind !== 'files') return null
  if (change.type === 'deleted') return { ...content, changed: { type: 'deleted' } }
  if (content.kind !== 'text') return null
  const before = content.changed?.type === 'edited' ? content.changed.before : messageToString(content)
  return { ...content, text: plainRichText(change.text), changed: { type: 'edited', before } } as BotMessage
}
