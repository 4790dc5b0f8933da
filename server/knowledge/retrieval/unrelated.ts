/// <reference types="vite/types/importMeta.d.ts" />
import { closer } from './language'
import { madeUpQuestions } from './madeUp'

/** Questions about other things than some texts. */
export interface Unrelated {
  questions: readonly string[]
  /** made up from the texts, and not quite what people ask */
  madeUp: boolean
}

/** A question a line, by language: as they are asked there, and nothing that a business is asked. Each file is read when it is first needed. */
const files = import.meta.glob<string>('./unrelated/*.txt', { query: '?raw', import: 'default' })

/** The languages that there are questions in. */
export const unrelatedLanguages = Object.keys(files).map((file) => file.slice('./unrelated/'.length, -'.txt'.length))

/** The questions in a language; null where there are none. */
export async function questionsIn(language: string): Promise<string[] | null> {
  const text = await files[`./unrelated/${language}.txt`]?.()
  return text?.trim().split('\n') ?? null
}

/**
 * Questions that a chatbot's sources don't answer: those in its language, or for one that we have none in, what can be made up.
 * @param language of most of its texts, as `languageOf` or a page has it @param texts some of the chatbot's
 */
export async function unrelatedTo(language: string | null, texts: readonly string[]): Promise<Unrelated> {
  const questions = language && (await questionsIn(closer(language, texts.join('\n'))))
  return questions ? { questions, madeUp: false } : { questions: madeUpQuestions(texts), madeUp: true }
}
