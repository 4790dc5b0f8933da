import type { z } from 'zod'
import { emailRule, isPhone } from '../../../engine/values/rules'
import type { suggestReply } from '../../contracts/inbox'
import type { Db } from '../../platform/database/database'
import type { Knowledge } from '../knowledge/knowledge'
import type { FoundConversation } from './findConversation'

type Suggestion = z.infer<(typeof suggestReply)['answer']>

/** Passages shown beside the suggested answer, and characters of each. */
const MOST_SOURCES = 3
const SHOWN = 400

/** Messages that are looked through for a question. */
const LOOKED_BACK = 5
/** Where to be answered is what a hand-off asks for, after the question. */
const isAddress = (words: string): boolean =>
  words.length <= 320 && (emailRule.test(words.trim()) || isPhone(words.trim()))

/** What the chatbot's sources say to what the visitor asked last: their own sentences, so that no model is needed. */
export async function suggest(db: Db, knowledge: Knowledge, row: FoundConversation): Promise<Suggestion> {
  const said = await db
    .selectFrom('messages')
    .select('words')
    .where('conversation_id', '=', row.id)
    .where('project_id', '=', row.project_id)
    .where('author', '=', 2)
    .where('words', 'is not', null)
    .orderBy('seq', 'desc')
    .limit(LOOKED_BACK)
    .execute()
  const question = said.map(({ words }) => words ?? '').find((words) => words.trim() !== '' && !isAddress(words))
  if (question === undefined) return { text: null, sources: [] }
  const place = { projectId: row.project_id, chatbotId: row.chatbot_id }
  const found = await knowledge.find(place, question, MOST_SOURCES)
  if (found.zone === 'unknown') return { text: null, sources: [] }
  const extracted = knowledge.extract(found, question)
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
