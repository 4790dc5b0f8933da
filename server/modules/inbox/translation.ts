import { translateCaps } from '../../contracts/translations'
import type { ServerContext } from '../../platform/context'
import type { Db } from '../../platform/database/database'
import type { Translator } from '../agents/translator/createTranslator'
import type { FoundConversation } from './findConversation'

interface Wanted {
  seqs: readonly number[]
  language: string
}
type Translated = { seq: number; text: string | null }

/**
 * Messages in another language: what was translated before is not asked for again. One request of the model; what does
 * not go into it is left out of the answer, and asked for next. @throws what the translator throws
 */
export async function translateMessages(
  db: Db,
  { clock, translator }: Pick<ServerContext, 'clock'> & { translator: Translator },
  { id, project_id, chatbot_id }: FoundConversation,
  { seqs, language }: Wanted,
): Promise<{ messages: Translated[]; credits: number }> {
  const rows = await db
    .selectFrom('messages')
    .leftJoin('message_translations', (join) =>
      join
        .onRef('message_translations.conversation_id', '=', 'messages.conversation_id')
        .onRef('message_translations.seq', '=', 'messages.seq')
        .on('message_translations.language', '=', language),
    )
    .select(['messages.seq', 'messages.words', 'message_translations.text'])
    .where('messages.conversation_id', '=', id)
    .where('messages.project_id', '=', project_id)
    .where('messages.seq', 'in', [...seqs])
    .where('messages.words', 'is not', null)
    .orderBy('messages.seq')
    .execute()
  const known = rows.flatMap(({ seq, text }) => (text === null ? [] : [{ seq, text }]))
  const asked = atOnce(rows.flatMap(({ seq, words, text }) => (text === null && words ? [{ seq, words }] : [])))
  if (asked.length === 0) return { messages: known, credits: 0 }
  const place = { projectId: project_id, chatbotId: chatbot_id }
  const texts = asked.map(({ words }) => words)
  const answer = await translator.translate(db, place, { from: null, to: language, texts })
  const translated = asked.map(({ seq }, at) => ({ seq, text: answer.texts[at] ?? null }))
  const values = translated.flatMap(({ seq, text }) =>
    text === null ? [] : [{ conversation_id: id, project_id, seq, language, text, created_at: clock() }],
  )
  if (values.length > 0)
    await db
      .insertInto('message_translations')
      .values(values)
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  return { messages: [...known, ...translated], credits: answer.credits }
}

/** As many as a model is asked at once, from the first one on; a text longer than that alone is none. */
function atOnce<Text extends { words: string }>(all: readonly Text[]): Text[] {
  let characters = 0
  return all
    .filter(({ words }) => words.length <= translateCaps.text)
    .slice(0, translateCaps.texts)
    .filter(({ words }) => {
      characters += words.length
      return characters <= translateCaps.characters
    })
}
