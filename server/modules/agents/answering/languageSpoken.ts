import type { Knowledge } from '../../knowledge/knowledge'
import { languageOf } from '../../knowledge/retrieval/language'
import { beginningOf } from '../../knowledge/retrieval/question'
import type { AnswerRequest } from './answering'
import type { AnswerSettings } from './settings'
import { codeOf } from './visitorTexts'

/** Characters of a question whose language is told by that of the sources too: "¿Abren los domingos?" */
const SHORT = 60

/**
 * The code of the language for texts that no model writes: the configured one, otherwise that of the question (of a
 * short one that may be in several, the sources'), of the visitor's earlier messages, or of the sources; null if none
 * can be detected.
 */
export async function languageSpoken(
  knowledge: Knowledge,
  { place, question, before }: AnswerRequest,
  { language }: AnswerSettings,
): Promise<string | null> {
  const said = before.flatMap(({ by, text }) => (by === 'visitor' ? text : [])).join('\n')
  const set = codeOf(language)
  if (set !== null) return set
  const likely = question.length > SHORT ? null : await knowledge.language(place)
  return (
    (await languageOf(beginningOf(question), likely)) ??
    (await languageOf(said)) ??
    likely ??
    (await knowledge.language(place))
  )
}
