import { sql } from 'kysely'
import { aiAnswerEffect } from '../../../../engine/effects/aiAnswer'
import { cleanText } from '../../../../engine/values/cleanText'
import type { Json } from '../../../../engine/values/json'
import type { Work } from '../../../platform/database/database'

/** A question that an answer was sought for, in its conversation. */
export interface AskedQuestion {
  question: string
  wording: string
  answered: boolean
  /** the answer, if it was given under "this may help"; else null */
  said: string | null
  sources: string[]
  asked_at: Date
}

const LONGEST = 500
/** Characters of an answer that are kept for an editor to confirm. */
const LONGEST_SAID = 1_000
/** Questions counted of one conversation, from its beginning. */
const MOST = 500
/** Sources named with one question. */
const MOST_SOURCES = 10

interface CallRow {
  conversation_id: string
  request: Json
  result: Json
  created_at: Date
}

/** The questions of conversations, in their order: what `ai.answer` was called with, and what it found. */
export async function readQuestions(work: Work, ids: readonly string[]): Promise<Map<string, AskedQuestion[]>> {
  const call = `%"service":${JSON.stringify(aiAnswerEffect.name)}%`
  // searched as text: PostgreSQL reads no JSON in which a visitor has written U+0000
  const { rows } = await sql<CallRow>`
    select r.conversation_id, e.request, e.result, e.created_at
    from runs r
      join effects e on e.run_id = r.id and e.project_id = r.project_id
    where r.conversation_id = any(${ids}::bigint[]) and e.type = 'call' and e.status = 'done'
      and e.request::text like ${call}
    order by r.conversation_id, r.number, e.turn, e.position`.execute(work)
  const byConversation = new Map<string, AskedQuestion[]>()
  for (const row of rows) {
    const asked = readCall(row)
    const list = byConversation.get(row.conversation_id) ?? []
    if (asked && isChoice(row)) mend(list, asked)
    else if (asked && list.length < MOST) list.push(asked)
    byConversation.set(row.conversation_id, list)
  }
  return byConversation
}

/** Whether the call answers with what the visitor chose of the suggestions for the question before. */
const isChoice = ({ request }: CallRow): boolean =>
  (request as { request?: { chosen?: unknown } }).request?.chosen !== undefined

/** What was chosen answers the last question that had no answer. */
function mend(list: AskedQuestion[], { answered, sources }: AskedQuestion): void {
  const last = list.findLast((each) => !each.answered)
  if (last && answered) Object.assign(last, { answered, sources, said: null })
}

/** Null for another call, a failed one, and one without a question. */
function readCall({ request, result, created_at }: CallRow): AskedQuestion | null {
  const call = request as { service?: unknown; request?: Json }
  if (call.service !== aiAnswerEffect.name) return null
  const asked = aiAnswerEffect.request.safeParse(call.request)
  const answer = aiAnswerEffect.result.safeParse(result)
  if (!asked.success || !answer.success || !answer.data.ok) return null
  const searched = (result as { debug?: { searched?: unknown } }).debug?.searched
  const question = cleanText(asked.data.question.trim() || (typeof searched === 'string' ? searched.trim() : ''))
  if (question === '') return null
  const { found, sources, uncertain } = answer.data
  return {
    question: question.slice(0, LONGEST),
    wording: wordingOf(question),
    answered: found,
    said: found && uncertain ? cleanText(uncertain).slice(0, LONGEST_SAID) : null,
    sources: [...new Set(sources.map(({ title }) => cleanText(title)))].slice(0, MOST_SOURCES),
    asked_at: created_at,
  }
}

/** The same for questions that differ in case, punctuation and spaces alone. */
export const wordingOf = (question: string): string =>
  question
    .slice(0, LONGEST)
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim()
