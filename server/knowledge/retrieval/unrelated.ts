import { madeUpQuestions } from './madeUp'
import { unrelatedEn } from './unrelatedEn'
import { unrelatedOthers } from './unrelatedOthers'

/** Questions about other things than some texts. */
export interface Unrelated {
  questions: readonly string[]
  /** made up from the texts, and not quite what people ask */
  madeUp: boolean
}

/**
 * Questions that a chatbot's sources don't answer: those in its language, or for one that we have none in, what can be made up.
 * @param language ISO 639-1 @param texts some of the chatbot's
 */
export function unrelatedTo(language: string | null, texts: readonly string[]): Unrelated {
  if (language === 'en') return { questions: unrelatedEn, madeUp: false }
  const known = language === null ? undefined : unrelatedOthers[language]
  if (known) return { questions: known.split('|').map((question) => question.trim()), madeUp: false }
  return { questions: madeUpQuestions(texts), madeUp: true }
}
