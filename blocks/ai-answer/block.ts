import { charge } from '../../engine/budget'
import { aiAnswerEffect } from '../../engine/effects/aiAnswer'
import { defineBlock } from '../../engine/flow/defineBlock'
import { call, note, read, sayMessage, setVariable } from '../../engine/flow/steps'
import { dynamicValueVariables } from '../../engine/values/dynamicValue'
import { markdownText } from '../../engine/values/markdown'
import { renderText } from '../../engine/values/render'
import { plainRichText } from '../../engine/values/richText'
import { aiAnswerFromDify } from './fromDify'
import { aiAnswerFromFlowise } from './fromFlowise'
import { aiAnswerFromTypebot } from './import'
import { offerNearest } from './offerNearest'
import { type AiAnswerData, aiAnswerDefaults, aiAnswerSchema } from './schema'
import { showParts } from './showParts'

/** The cost of parsing a character of Markdown. */
const MARKDOWN = 100

/**
 * Answers a question from sources or by a model, and says or saves the answer. Without one it leaves by `not-found`.
 */
export const aiAnswer = defineBlock({
  kind: 'ai-answer',
  category: 'ai',
  title: 'AI answer',
  help: 'Answers a question from your data sources, or with a model.',
  schema: aiAnswerSchema,
  defaults: aiAnswerDefaults,
  migrations: [
    { name: 'AddModelAndStream', up: (data) => ({ ...data, model: null, stream: true }) },
    // flows that exist go on as they did
    { name: 'AddSuggest', up: (data) => ({ ...data, suggest: false }) },
  ],
  ports: () => [{ id: 'next' }, { id: 'not-found', label: 'Not found', fallback: 'next' }],
  reads: ({ question, instructions }) => [question, instructions].flatMap(dynamicValueVariables),
  // instructions may contain variables without a value
  needs: ({ question }) => dynamicValueVariables(question),
  writes: ({ source, saveTo, saveSources }) => [
    ...(saveTo === null ? [] : [saveTo]),
    ...(saveSources === null || source !== 'knowledge' ? [] : [saveSources]),
  ],
  problems: ({ source, say, saveTo, saveSources }) =>
    !say && saveTo === null && (source === 'model' || saveSources === null)
      ? [{ path: 'saveTo', message: 'Choose a variable for the answer, or send it' }]
      : [],
  importers: [aiAnswerFromTypebot, aiAnswerFromDify, aiAnswerFromFlowise],
  *run(data) {
    const { source, say, saveTo, saveSources } = data
    const answer = yield* answerFor(data)
    if (!answer.ok) {
      yield* note(answer.error)
      return 'not-found'
    }
    const { found, text, sources } = answer
    if (!found) {
      yield* note(answer.note ?? 'No answer was found.')
      // a text that no answer is possible now; what follows is up to the flow
      if (say && text !== '' && !answer.suggestions)
        yield* sayMessage({ kind: 'text', text: plainRichText(text), ai: responseOf(data, true) })
      return 'not-found'
    }
    if (answer.note !== undefined) yield* note(answer.note)
    if (saveTo !== null) yield* setVariable(saveTo, text)
    if (saveSources !== null && source === 'knowledge') yield* setVariable(saveSources, sources)
    for (const [variable, value] of Object.entries(answer.saved ?? {})) yield* setVariable(variable, value)
    if (say && text !== '') {
      charge(text.length * MARKDOWN)
      const said = { text: markdownText(text), ai: responseOf(data, false) }
      yield* sayMessage(sources.length > 0 ? { kind: 'answer', ...said, sources } : { kind: 'text', ...said })
    }
    const parts = answer.parts ?? []
    // actions take effect even if the answer is not said
    yield* showParts(say ? parts : parts.filter(({ type }) => type === 'hand-off'))
    return 'next'
  },
})

/** SPEC.md 3's data of an AI response. */
const responseOf = ({ source, stream }: AiAnswerData, answer_not_found: boolean) => ({
  response_source: source,
  ...{ stream, answer_not_found },
})

/** Asks for an answer. As long as nothing is found but something is near, that is offered, and the visitor goes on. */
function* answerFor(data: AiAnswerData) {
  const { source, language, temperature, model, say, stream, suggest, ...texts } = data
  const variables = yield* read()
  const request = {
    source,
    question: renderText(texts.question, variables),
    instructions: renderText(texts.instructions, variables),
    language,
    temperature,
    // defaults are left out, so that tests kept before the option existed still match
    ...(model !== null && { model }),
    ...(!(stream && say) && { stream: false as const }),
    ...(suggest && say && source === 'knowledge' && { suggest: true as const }),
  }
  for (;;) {
    const answer = yield* call(aiAnswerEffect, request)
    if (!answer.ok || answer.found || !answer.suggestions) return answer
    const taken = yield* offerNearest(answer.text, answer.suggestions, responseOf(data, true))
    if (taken.type === 'none') return answer
    if (taken.type === 'chosen') return yield* call(aiAnswerEffect, { ...request, chosen: taken.id })
    request.question = taken.question
  }
}
