import { type RichText, richTextToString } from '../../../engine/values/richText'

/** More words are a sentence, not a name. */
const WORDS = 3

/**
 * Suggests a variable name from the question: “What is your order number?” gives Order number. Undefined if the
 * question does not match a pattern.
 */
export function answerName(question: RichText | undefined): string | undefined {
  const asked = question ? richTextToString(question, () => '…') : ''
  const name = /\byour\s+([\p{L}\p{N} -]+?)\s*(?:[?.,:;!(]|$)/iu.exec(asked.slice(0, LONGEST))?.[1]
  if (!name || name.split(/\s+/).length > WORDS) return undefined
  return name.slice(0, 1).toUpperCase() + name.slice(1)
}

/** A question's subject is at its beginning; a text may have 4,000 characters. */
const LONGEST = 200
