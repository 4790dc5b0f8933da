/// <reference types="vite/types/importMeta.d.ts" />
import { closer } from './language'
import { madeUpQuestions } from './madeUp'

/** Questions about other things than some texts. */
export interface Unrelated {
  questions: readonly string[]
  /** made up from the texts, and not quite what people ask */
  madeUp: boolean
}

/** A question a line, by language: as they are asked there, and nothing that a business is asked. */
const files = import.meta.glob<string>('./unrelated/*.txt', { query: '?raw', import: 'default', eager: true })
const questions: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(files).map(([file, text]) => [
    file.slice('./unrelated/'.length, -'.txt'.length),
    text.trim().split('\n'),
  ]),
)

/** The languages that there are questions in. */
export const unrelatedLanguages = [...questions.keys()]

/** The questions in a language; null where there are none. */
export const questionsIn = (language: string): readonly string[] | null => questions.get(language) ?? null

/**
 * Questions that a chatbot's sources don't answer: those in its language, or for one that we have none in, what can be made up.
 * @param language of most of its texts, as `languageOf` or a page has it @param texts some of the chatbot's
 */
export function unrelatedTo(language: string | null, texts: readonly string[]): Unrelated {
  const asked = language && questionsIn(closer(language, texts.join('\n')))
  return asked ? { questions: asked, madeUp: false } : { questions: madeUpQuestions(texts), madeUp: true }
}
