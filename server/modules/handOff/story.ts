import { messageToString } from '../../../engine/flow/conversationWords'
import type { Db } from '../../platform/database/database'

/**
 * The most messages, and the most characters of them, per mail: the newest. The mail links to the whole conversation.
 */
const MESSAGES = 500
const CHARACTERS = 150_000
/** The largest message number in the database. */
const LAST = 2_147_483_647
/** The least words of a question without a question mark. */
const WORDS = 3

export interface Story {
  messages: { who: 'Visitor' | 'Bot'; text: string }[]
  /** earlier ones were left out */
  cut: boolean
  /** the visitor's last question in their own words; empty: none */
  question: string
  /** the last message's number */
  last: number
}

interface Range {
  conversationId: string
  projectId: string
  after?: number
  upTo?: number
}

/** The messages of a conversation, for a mail. */
export async function readStory(db: Db, { conversationId, projectId, after = 0, upTo = LAST }: Range): Promise<Story> {
  const rows = await db
    .selectFrom('messages')
    .select(['seq', 'author', 'content', 'own_words'])
    .where('conversation_id', '=', conversationId)
    .where('project_id', '=', projectId)
    .where('seq', '>', after)
    .where('seq', '<=', upTo)
    .orderBy('seq', 'desc')
    .limit(MESSAGES)
    .execute()
  let room = CHARACTERS
  const newest = rows
    .map(({ author, content, own_words }) => ({
      isVisitor: author === 2,
      text: messageToString(content),
      ownWords: own_words,
    }))
    .filter(({ text }) => {
      room -= text.length
      return room >= 0
    })
  const own = newest.filter(({ ownWords }) => ownWords).map(({ text }) => text.trim())
  return {
    messages: newest
      .reverse()
      .flatMap(({ isVisitor, text }) => (text === '' ? [] : [{ who: isVisitor ? 'Visitor' : 'Bot', text }])),
    cut: rows.length === MESSAGES || room < 0,
    question: own.find(isQuestion) ?? own[0] ?? '',
    last: rows[0]?.seq ?? after,
  }
}

const isQuestion = (text: string): boolean => /[?？؟]/.test(text) || text.split(/\s+/).length >= WORDS

/** Whether it contains a message of the visitor. */
export const hasVisitor = ({ messages }: Story): boolean => messages.some(({ who }) => who === 'Visitor')
