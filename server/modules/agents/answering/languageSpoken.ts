import type { Knowledge } from '../../knowledge/knowledge'
import { languageOf } from '../../knowledge/retrieval/language'
import { beginningOf } from '../../knowledge/retrieval/question'
import type { AnswerRequest } from './answering'
import type { AnswerSettings } from './settings'
import { codeOf } from './visitorTexts'

/**
 * The code of the language for texts that no model writes: the configured one, otherwise that of the question, of the
 * visitor's earlier messages, or of the sources; null if none can be detected.
 */
export async function languageSpoken(
  knowledge: Knowledge,
  { place, question, before }: AnswerRequest,
  { language }: AnswerSettings,
): Promise<string | null> {
  const said = before.flatMap(({ by, text }) => (by === 'visitor' ? text : [])).join('\n')
  return (
    codeOf(language) ??
    (await languageOf(beginningOf(question))) ??
    (await languageOf(said)) ??
    (await knowledge.language(place))
  )
}
