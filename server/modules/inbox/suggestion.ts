import type { z } from 'zod'
import type { suggestReply } from '../../contracts/inbox'
import type { Db } from '../../platform/database/database'
import type { Knowledge } from '../knowledge/knowledge'
import type { FoundConversation } from './findConversation'

type Suggestion = z.infer<(typeof suggestReply)['answer']>

/** Passages shown beside the suggested answer, and characters of each. */
const MOST_SOURCES = 3
const SHOWN = 400

/** What the chatbot's sources say to the visitor's last message: their own sentences, so that no model is needed. */
export async function suggest(db: Db, knowledge: Knowledge, row: FoundConversation): Promise<Suggestion> {
  const asked = await db
    .selectFrom('messages')
    .select('words')
    .where('conversation_id', '=', row.id)
    .where('project_id', '=', row.project_id)
    .where('author', '=', 2)
    .where('words', 'is not', null)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!asked?.words) return { text: null, sources: [] }
  const found = await knowledge.find(
    { projectId: row.project_id, chatbotId: row.chatbot_id },
    asked.words,
    MOST_SOURCES,
  )
  if (found.zone === 'unknown') return { text: null, sources: [] }
  const extracted = knowledge.extract(found, asked.words)
  return {
    // numbers of citations mean nothing to a visitor who sees no sources
    text: extracted ? extracted.text.replace(/\s*\[\d+\]/g, '') : null,
    sources: found.passages.slice(0, MOST_SOURCES).map(({ source, text }) => ({
      title: source.title,
      url: source.url,
      text: text.slice(0, SHOWN),
    })),
  }
}
