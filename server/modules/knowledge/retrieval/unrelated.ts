/// <reference types="vite/types/importMeta.d.ts" />
import { closer } from './language'
import { madeUpQuestions } from './madeUp'

/** Questions about other topics than those of some texts. */
export interface Unrelated {
  questions: readonly string[]
  /** made up from the texts, not quite like people's questions */
  madeUp: boolean
}

/** By language, one question per line: typical for the language, but nothing that businesses are asked. */
const files = import.meta.glob<string>('./unrelated/*.txt', { query: '?raw', import: 'default', eager: true })
const questions: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(files).map(([file, text]) => [
    file.slice('./unrelated/'.length, -'.txt'.length),
    text.trim().split('\n'),
  ]),
)

/** The languages with such questions. */
export const unrelatedLanguages = [...questions.keys()]

/** The questions in a language; null if there are none. */
export const questionsIn = (language: string): readonly string[] | null => questions.get(language) ?? null

/**
 * Questions that a chatbot's sources don't answer: those in its language or, if there are none, made-up ones.
 * @param language of most of its texts, detected or declared @param texts a sample of the chatbot's texts
 */
export function unrelatedTo(language: string | null, texts: readonly string[]): Unrelated {
  const asked = language && questionsIn(closer(language, texts.join('\n')))
  return asked ? { questions: asked, madeUp: false } : { questions: madeUpQuestions(texts), madeUp: true }
}
