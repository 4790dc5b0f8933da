import { beginningOf } from '../../knowledge/retrieval/question'
import { asksNothing } from './rewriteQuestion'

/** The most questions of a message that are answered one by one. */
const MOST = 3
/** A question's end in the scripts of chatbots' languages; Greek writes a semicolon, which others use otherwise. */
const END = /[?？؟]+/u

/**
 * The questions of a message that asks several, in their order; a sentence that asks nothing belongs to the question
 * after it, what follows the last question to that one.
 * @returns undefined if it asks one thing, or more than three: then it is answered as a whole
 */
export function questionsIn(message: string): string[] | undefined {
  const text = beginningOf(message)
  const pieces = text.split(END)
  const rest = pieces.pop()?.trim() ?? ''
  const questions: string[] = []
  let before = ''
  for (const piece of pieces.slice(0, MOST + 1)) {
    const question = piece.trim()
    if (question === '') continue
    if (asksNothing(question)) before = `${before}${question}. `
    else {
      questions.push(`${before}${question}?`)
      before = ''
    }
  }
  const last = questions.pop()
  if (last === undefined || questions.length === 0 || questions.length >= MOST) return undefined
  return [...questions, rest === '' || asksNothing(rest) ? last : `${last} ${rest}`]
}
