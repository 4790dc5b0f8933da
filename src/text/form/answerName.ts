import { type RichText, richTextToString } from '../../../engine/values/richText'

/** Longer than this it is a sentence, and no name. */
const WORDS = 3

/**
 * What the variable that keeps an answer would be called, by what the question asks for: “What is your order number?” is the Order number.
 * Undefined where the question does not say it in these words.
 */
export function answerName(question: RichText | undefined): string | undefined {
  const asked = question ? richTextToString(question, () => '…') : ''
  const name = /\byour\s+([\p{L}\p{N} -]+?)\s*(?:[?.,:;!(]|$)/iu.exec(asked.slice(0, LONGEST))?.[1]
  if (!name || name.split(/\s+/).length > WORDS) return undefined
  return name.slice(0, 1).toUpperCase() + name.slice(1)
}

/** Questions begin with what they ask for; a text may have 4,000 characters. */
const LONGEST = 200
