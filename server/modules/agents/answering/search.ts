import type { Knowledge, Zone } from '../../knowledge/knowledge'
import { languageOf } from '../../knowledge/retrieval/language'
import { beginningOf } from '../../knowledge/retrieval/question'
import type { AnswerContext } from './answerContext'
import type { AnswerRequest } from './answering'
import { rewriteByModel, rewriteByRule } from './rewriteQuestion'

const RANKS: Readonly<Record<Zone, number>> = { unknown: 0, unsure: 1, confident: 2 }

/** Finds passages for the question, made self-contained by the conversation, and puts them into `context`. */
export async function search(
  knowledge: Knowledge,
  { place, question, before }: Pick<AnswerRequest, 'place' | 'question' | 'before'>,
  context: AnswerContext,
): Promise<void> {
  const [model] = context.chosen.models
  const began = performance.now()
  const written = model ? await rewriteByModel(model, question, before) : null
  if (written) {
    const ms = Math.round(performance.now() - began)
    context.steps.push({ name: 'rewrite', detail: written.detail, ms, ok: written.ok })
  }
  const find = async (wanted: string) => {
    const started = performance.now()
    const found = await knowledge.find(place, wanted)
    const detail = `${found.passages.length} passages for “${wanted.slice(0, 200)}”: ${found.zone}, ${Math.round(found.confidence * 100)} %`
    context.steps.push({ name: 'search', detail, ms: Math.round(performance.now() - started), ok: true })
    return { searched: wanted, found }
  }
  const said = [...before.flatMap(({ by, text }) => (by === 'visitor' ? text : [])), beginningOf(question)]
  const joined = written?.ok ? null : rewriteByRule(question, before, await languageOf(said.join('\n')))
  const [first, second] = joined?.refers ? [joined.question, question] : [question, joined?.question]
  let best = await find(written?.ok ? written.question : first)
  // what refers back says little alone: “and to the States?” finds something else
  if (second !== undefined && (joined?.refers ? best.found.zone === 'unknown' : best.found.zone !== 'confident')) {
    const other = await find(second)
    if (RANKS[other.found.zone] > RANKS[best.found.zone]) best = other
  }
  Object.assign(context, best)
}
