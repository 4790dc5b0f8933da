import type { Found, Knowledge, Passage } from '../../knowledge/knowledge'
import { type AnswerContext, complete } from './answerContext'
import type { AnswerPart, AnswerRequest } from './answering'
import { citations, writing } from './citing'
import { questionsIn } from './questionsIn'
import { search } from './search'

/** What one of several questions is answered; null: nothing. */
interface Answered {
  question: string
  searched: string
  found: Found
  text: string | null
}

/**
 * The built-in model's answer to a message that asks several things: to each in turn, and where one has none, that is
 * said at its place.
 * @param context with what was found for the message as a whole
 * @returns null if it asks one thing, is an FAQ entry's as a whole, or nothing of it has an answer
 */
export async function answerEach(
  knowledge: Knowledge,
  request: AnswerRequest,
  context: AnswerContext,
): Promise<AnswerPart[] | null> {
  const { found: whole, settings, texts, chosen, steps } = context
  const questions = questionsIn(request.question)
  if (!questions || (whole.zone === 'confident' && whole.passages[0]?.source.kind === 'faq')) return null
  const cited: Passage[] = []
  const answered: Answered[] = []
  const before = [...request.before]
  for (const question of questions) {
    const own = { ...context }
    await search(knowledge, { place: request.place, question, before }, own)
    if (request.signal?.aborted) return null
    // "And for a week?" refers to it
    before.push({ by: 'visitor', text: question })
    const { searched, found } = own
    const extract = knowledge.extract(found, searched, cited.length + 1)
    cited.push(...(extract?.cites.flatMap((at) => found.passages[at] ?? []) ?? []))
    answered.push({ question, searched, found, text: extract?.text ?? null })
  }
  const present = answered.filter(({ text }) => text !== null)
  if (present.length === 0) return null
  steps.push({ name: 'questions', detail: `${questions.length} questions, answered one by one.`, ms: 0, ok: true })
  context.model = chosen.builtIn
  context.credits = chosen.builtIn.credits
  context.searched = answered.map(({ searched }) => searched).join('\n')
  context.found = {
    ...whole,
    passages: cited,
    zone: answered.every(({ found }) => found.zone === 'confident') ? 'confident' : 'unsure',
    confidence: Math.min(...answered.map(({ found }) => found.confidence)),
  }
  const said = answered.map(({ question, found, text }) => {
    if (text === null) return `${question}\n\n${texts.notFound}`
    return found.zone === 'unsure' ? `${texts.mayHelp}\n\n${text}` : text
  })
  const { addresses, writer } = writing(cited, settings)
  writer.write(said.join('\n\n'))
  writer.end()
  const text = writer.text()
  return [
    { type: 'text', delta: text },
    complete(context, { text, found: true, citations: citations(writer, cited, addresses) }),
  ]
}
