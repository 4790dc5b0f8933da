import type { SuggestionTexts } from '../../../../engine/values/suggestionTexts'
import type { ChatAnswer } from '../../../contracts/answers'
import { suggestionsOf } from '../../knowledge/evidence/suggestions'
import type { Found } from '../../knowledge/knowledge'
import type { AnswerTools } from '../actions/agentTool'
import { anyAddresses } from './addresses'
import type { AnswerPart, AnswerRequest } from './answering'
import type { Chosen } from './chooseModels'
import type { AnswerSettings } from './settings'
import { suggestionTextsIn, textsIn, type VisitorTexts } from './visitorTexts'
import type { Step } from './writeAnswer'

/** Characters of a passage in the record of an answer. */
export const SHOWN = 4_000

/** The state of an answer in progress, for its record. */
export interface AnswerContext {
  began: number
  settings: AnswerSettings
  chosen: Chosen
  /** texts for visitors where no model speaks, in their language */
  texts: VisitorTexts
  /** the reply to a message without a question; null: there is a question */
  reply: string | null
  steps: Step[]
  notes: string[]
  searched: string
  found: Found
  prompt: string | null
  tokens: ChatAnswer['debug']['tokens']
  /** the model that answered */
  model: { id: number; name: string }
  credits: number
  /** the model's tools; null: none */
  tools: AnswerTools | null
  /** the texts with which the nearest questions are offered; null: they are not */
  offering: SuggestionTexts | null
}

export const begin = (
  { question, suggest }: AnswerRequest,
  settings: AnswerSettings,
  chosen: Chosen,
  spoken: string | null,
): AnswerContext => ({
  began: performance.now(),
  settings,
  chosen,
  texts: textsIn(spoken),
  reply: null,
  steps: [],
  notes: [...chosen.notes],
  searched: question,
  found: { passages: [], zone: 'unknown', confidence: 0, language: null },
  prompt: null,
  tokens: null,
  model: chosen.models[0]?.model ?? chosen.builtIn,
  credits: 0,
  tools: null,
  offering: suggest && settings.suggests ? suggestionTextsIn(spoken, settings.ownTexts) : null,
})

/** The sources do not contain the answer. What is near is offered, if there is any. */
export function notFound(context: AnswerContext): AnswerPart {
  const { texts, offering, found, settings } = context
  const { withoutHidden } = anyAddresses(settings.hiddenUrls)
  const offers = (offering ? suggestionsOf(found) : [])
    .map(({ id, label }) => ({ id, label: withoutHidden(label).trim() }))
    .filter(({ label }) => label !== '')
  return offering && offers.length > 0
    ? complete(context, {
        text: offering.didYouMean,
        found: false,
        citations: [],
        suggestions: { none: offering.noneOfThese, offers },
      })
    : complete(context, { text: texts.notFound, found: false, citations: [] })
}

/** No model, or no credits. */
export const failed = (context: AnswerContext): AnswerPart => ({
  ...complete(context, { text: context.texts.unavailable, found: false, citations: [] }),
  failed: true,
})

/** A reply to small talk, which needs no sources. */
export function* replied(context: AnswerContext, text: string): Generator<AnswerPart> {
  context.found = { ...context.found, zone: 'confident', confidence: 1 }
  context.steps.push({
    name: 'small talk',
    detail: 'Nothing is asked: no source and no model is needed.',
    ms: 0,
    ok: true,
  })
  yield { type: 'text', delta: text }
  yield complete(context, { text, found: true, citations: [] })
}

/** The final part of an answer, with the record of its steps. */
export function complete(
  context: AnswerContext,
  said: Omit<ChatAnswer, 'debug' | 'parts'>,
): Extract<AnswerPart, { type: 'answer' }> {
  const { began, settings, steps, notes, searched, found, prompt, tokens, model, credits } = context
  const debug = {
    model: { id: model.id, name: model.name },
    temperature: settings.temperature,
    searched,
    passages: found.passages.map(({ source, heading, text, score }) => ({
      source,
      heading: heading.slice(0, SHOWN),
      text: text.slice(0, SHOWN),
      score,
    })),
    zone: found.zone,
    confidence: found.confidence,
    prompt,
    tokens,
    credits,
    ms: Math.round(performance.now() - began),
    steps,
    note: notes.length === 0 ? null : notes.join(' '),
  }
  const { parts = [], saved = [] } = context.tools ?? {}
  return { type: 'answer', answer: { ...said, parts, debug }, failed: false, saved }
}
