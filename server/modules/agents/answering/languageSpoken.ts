import type { Knowledge } from '../../knowledge/knowledge'
import { languageOf } from '../../knowledge/retrieval/language'
import { beginningOf } from '../../knowledge/retrieval/question'
import type { AnswerRequest } from './answering'
import type { AnswerSettings } from './settings'
import { codeOf } from './visitorTexts'

/**
 * The language in which a visitor is told what no model says, by its code: the one that is set, else that of the question, of what the visitor said
 * before, or of the sources; null where none can be told.
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
