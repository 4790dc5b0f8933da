import { messageToString } from '../../../engine/flow/conversationWords'
import type { RootDb } from '../../platform/database/database'
import type { CallContext } from '../../platform/effects/callContext'

export interface Line {
  by: 'bot' | 'visitor'
  text: string
}

/** The conversation before a call, oldest first; empty if there is none. */
export type ReadConversation<Context> = (context: Context) => Promise<Line[]>

/** The newest messages and characters for a model: enough context at a reasonable price. */
const MESSAGES = 100
const CHARACTERS = 40_000

/** Reads conversations from the database. The bot's messages of the current turn are not included yet. */
export const readConversation =
  (db: RootDb): ReadConversation<Pick<CallContext, 'project' | 'conversation'>> =>
  async ({ project, conversation }) => {
    const rows = await db
      .forProject(project.id)
      .selectFrom('messages')
      .select(['author', 'content'])
      .where('conversation_id', '=', conversation.id)
      .where('project_id', '=', project.id)
      .orderBy('seq', 'desc')
      .limit(MESSAGES)
      .execute()
    let room = CHARACTERS
    const lines: Line[] = []
    for (const { author, content } of rows) {
      const text = messageToString(content).trim()
      room -= text.length
      if (room < 0 && lines.length > 0) break
      if (text !== '') lines.push({ by: author === 2 ? 'visitor' : 'bot', text })
    }
    return lines.reverse()
  }
