import type { RootDb } from '../../../platform/database/database'
import { isOrder } from '../../knowledge/evidence/orders'
import type { Knowledge } from '../../knowledge/knowledge'
import type { Models } from '../../models/models'
import type { AgentActions } from '../actions/createAgentActions'
import { anyAddresses } from './addresses'
import { type AnswerContext, begin, complete, failed, notFound, replied } from './answerContext'
import { answerEach } from './answerEach'
import type { Answering, AnswerPart, AnswerRequest } from './answering'
import { createAnswerWriter } from './answerWriter'
import { chooseModels } from './chooseModels'
import { citations, writing } from './citing'
import { languageSpoken } from './languageSpoken'
import { answerPrompt, promptInWords } from './prompt'
import { search } from './search'
import { readAnswerSettings } from './settings'
import { isSame, replyTo } from './smallTalk'
import { talkPrompt } from './talkPrompt'
import { type Outcome, WRITING_TIME, writeAnswer } from './writeAnswer'

export interface Credits {
  reserve(use: {
    projectId: string
    chatbotId: string
    visitor: string | null
    key: string
    amount: number
  }): Promise<{ ok: true } | { ok: false; reason: 'plan' | 'chatbot' | 'visitor' }>
  /** the amount actually used */
  settle(use: { projectId: string; key: string; amount: number }): Promise<void>
}

export interface Parts {
  db: RootDb
  knowledge: Knowledge
  models: Models
  actions?: Pick<AgentActions, 'toolsFor'>
  credits: Credits
  /** ms for the models' texts */
  time?: number
}

/** Creates the answering service: see the README of this folder for its steps. */
export const answerQuestions = (parts: Parts): Answering => ({
  answer: (request) => answer(parts, request),
  talk: (request) => talk(parts, request),
})

async function* answer(parts: Parts, request: AnswerRequest): AsyncGenerator<AnswerPart> {
  const { db, knowledge, models, time = WRITING_TIME } = parts
  const settings = await readAnswerSettings(db.forProject(request.place.projectId), request.place, request.overrides)
  const spoken = await languageSpoken(knowledge, request, settings)
  const chosen = await chooseModels(models, request.place.projectId, settings)
  const context = begin(request, settings, chosen, spoken)
  if (request.chosen !== undefined) return yield* section(knowledge, request.chosen, request, context)
  context.reply = replyTo(request.question, settings, spoken)
  if (context.reply !== null) {
    await equip(parts, request, context)
    // a model with tools decides itself how to reply to a greeting
    if (!context.tools && !(await isFaq(knowledge, request))) {
      context.model = chosen.builtIn
      return yield* replied(context, context.reply)
    }
  }
  yield* paid(parts, request, context, async function* () {
    await search(knowledge, request, context)
    if (request.signal?.aborted) return
    if (context.reply === null) await equip(parts, request, context)
    // a model is told what to do with orders; quotes would only be near them by their words
    if (chosen.models.length === 0 && isOrder(request.question)) return yield notFound(context)
    // a model answers all that is asked by itself
    const each = chosen.models.length > 0 ? null : await answerEach(knowledge, request, context)
    if (request.signal?.aborted) return
    if (each) return yield* each
    if (context.found.zone === 'unknown' && !context.tools) yield notFound(context)
    else if (context.chosen.models.length === 0) yield* extracted(knowledge, context)
    else yield* written(knowledge, request, context, time)
  })
}

async function* talk(parts: Parts, request: AnswerRequest): AsyncGenerator<AnswerPart> {
  const { db, knowledge, models, time = WRITING_TIME } = parts
  const settings = await readAnswerSettings(db.forProject(request.place.projectId), request.place, request.overrides)
  const chosen = await chooseModels(models, request.place.projectId, settings, { speaks: true })
  const context = begin(request, settings, chosen, await languageSpoken(knowledge, request, settings))
  if (chosen.models.length === 0) {
    context.notes = [NO_MODEL]
    yield complete(context, { text: '', found: false, citations: [] })
    return
  }
  yield* paid(parts, request, context, async function* () {
    await equip(parts, request, context)
    yield* spoken(request, context, time)
  })
}

const NO_MODEL =
  'No model is chosen that could answer by itself. Choose one in the AI settings, or set AI_BASE_URL and AI_MODEL where the server runs.'

/** Whether the question is an FAQ entry's, literally. */
async function isFaq(knowledge: Knowledge, { place, question }: AnswerRequest): Promise<boolean> {
  const { passages } = await knowledge.find(place, question)
  return passages.some(
    ({ source, heading }) => source.kind === 'faq' && heading.split('\n').some((asked) => isSame(asked, question)),
  )
}

/** Adds the model's tools. If it can't use any, it answers without actions, with a note for the editor. */
async function equip(
  { actions }: Parts,
  { place, key, actions: wanted, signal }: AnswerRequest,
  context: AnswerContext,
) {
  const [model] = context.chosen.models
  if (!actions || !wanted) return
  const { steps, texts } = context
  const tools = await actions.toolsFor({ place, key, ...wanted, signal, steps, labels: texts.fields })
  if (!tools) return
  if (model?.model.supports_actions) context.tools = tools
  else
    context.notes.push(
      `${(model?.model ?? context.chosen.builtIn).name} can’t use actions: choose another model in the AI settings.`,
    )
}

/** Runs work while its credits are reserved, and settles the actual cost. Without credits, only that is answered. */
async function* paid(
  { credits }: Parts,
  { place, visitor, key }: AnswerRequest,
  context: AnswerContext,
  work: () => AsyncGenerator<AnswerPart>,
): AsyncGenerator<AnswerPart> {
  const { projectId, chatbotId } = place
  const amount = context.chosen.credits
  if (amount <= 0) return yield* work()
  const reserved = await credits.reserve({ projectId, chatbotId, visitor, key, amount })
  if (!reserved.ok) {
    context.notes.push(STOPPED[reserved.reason])
    yield failed(context)
    return
  }
  try {
    yield* work()
  } finally {
    await credits.settle({ projectId, key, amount: context.credits })
  }
}

/** An answer in a model's own words. */
async function* spoken(
  { question, before, signal }: AnswerRequest,
  context: AnswerContext,
  time: number,
): AsyncGenerator<AnswerPart> {
  const { settings, chosen, steps } = context
  const prompt = talkPrompt(settings, { question, before, acts: context.tools !== null })
  context.prompt = promptInWords(prompt)
  context.credits = chosen.models[0]?.model.credits ?? 0
  const addresses = anyAddresses(settings.hiddenUrls)
  const outcome = yield* writeAnswer(chosen.models, prompt, () => createAnswerWriter({ addresses, sources: [] }), {
    signal,
    steps,
    tools: context.tools,
    time,
  })
  if (signal?.aborted) return
  if (!take(context, outcome)) yield failed(context)
  else if (outcome.model) yield complete(context, { text: outcome.writer.text(), found: true, citations: [] })
}

/** Records which model has written. @returns whether one has */
function take(context: AnswerContext, outcome: Outcome): boolean {
  context.notes.push(...outcome.failures)
  context.credits = 0
  if (!outcome.model) return false
  const { model } = outcome.model
  context.model = { id: model.id, name: model.name }
  context.credits = model.credits
  context.tokens = outcome.tokens
  if (outcome.failures.length > 0) context.notes.push(`${model.name} stood in.`)
  return true
}

/** Why there are no credits, for the editor. */
export const STOPPED = {
  plan: 'The project has no AI credits left for this month. Choose a larger plan, or wait for the next month.',
  chatbot: 'This chatbot has used up its credits for this month. Raise its budget in the AI settings.',
  visitor: 'This visitor has used up the credits of a day. Raise the budget of a visitor in the AI settings.',
} as const

/** The built-in model: quotes sentences of the passages. */
function* extracted(knowledge: Knowledge, context: AnswerContext): Generator<AnswerPart> {
  const { found, settings, chosen } = context
  context.model = chosen.builtIn
  context.credits = chosen.builtIn.credits
  const extract = knowledge.extract(found, context.searched)
  if (!extract) {
    yield notFound(context)
    return
  }
  const cited = extract.cites.flatMap((at) => found.passages[at] ?? [])
  const { addresses, writer } = writing(cited, settings)
  writer.write(extract.text)
  writer.end()
  if (writer.text() === '') {
    yield notFound(context)
    return
  }
  const text = found.zone === 'unsure' ? `${context.texts.mayHelp}\n\n${writer.text()}` : writer.text()
  yield { type: 'text', delta: text }
  yield complete(context, { text, found: true, citations: citations(writer, cited, addresses) })
}

/** The section of a suggestion that the visitor chose, said by the built-in model. */
async function* section(
  knowledge: Knowledge,
  id: string,
  { place }: AnswerRequest,
  context: AnswerContext,
): AsyncGenerator<AnswerPart> {
  context.model = context.chosen.builtIn
  context.offering = null
  const passage = await knowledge.section(place, id)
  const { addresses, writer } = writing(passage ? [passage] : [], context.settings)
  writer.write(passage?.quote ? `${passage.quote} [1]` : '')
  writer.end()
  const text = writer.text()
  const isGone = !passage || text === ''
  context.steps.push({ name: 'suggestion', detail: isGone ? GONE : CHOSEN, ms: 0, ok: !isGone })
  if (isGone) {
    yield notFound(context)
    return
  }
  context.found = { ...context.found, passages: [passage], zone: 'confident', confidence: 1 }
  yield { type: 'text', delta: text }
  yield complete(context, { text, found: true, citations: citations(writer, [passage], addresses) })
}

const CHOSEN = 'The visitor chose this section of those that were near: it is said as it is.'
const GONE = 'The section that the visitor chose is gone, or nothing of it may be said.'

async function* written(
  knowledge: Knowledge,
  { question, before, signal }: AnswerRequest,
  context: AnswerContext,
  time: number,
): AsyncGenerator<AnswerPart> {
  const { settings, chosen, found, steps } = context
  // passages about something else would mislead
  const passages = found.zone === 'unknown' ? [] : found.passages
  const { addresses } = writing(passages, settings)
  const prompt = answerPrompt({ settings, passages, question, before, addresses, acts: context.tools !== null })
  context.prompt = promptInWords(prompt)
  // if the listener leaves in between, the answer is charged anyway
  context.credits = chosen.models[0]?.model.credits ?? 0
  const outcome = yield* writeAnswer(chosen.models, prompt, () => writing(passages, settings).writer, {
    signal,
    steps,
    tools: context.tools,
    time,
  })
  if (signal?.aborted) return
  if (!take(context, outcome) || !outcome.model) {
    // the editor may have chosen the built-in model as the fallback
    if (chosen.fallsBack) yield* extracted(knowledge, context)
    else yield failed(context)
    return
  }
  const { writer } = outcome
  if (writer.saysNotFound()) {
    // what an action shows is an answer, even if the sources have none
    if (shows(context)) yield complete(context, { text: '', found: true, citations: [] })
    else if (context.reply !== null) yield* replied(context, context.reply)
    else yield notFound(context)
    return
  }
  const cited = citations(writer, passages, addresses)
  const { citations: numbers, addresses: links, images } = writer.removed()
  const out = [
    numbers > 0 && `numbers of passages that are not there (${numbers})`,
    links > 0 && `links to addresses that are not in the sources, or hidden (${links})`,
    images > 0 && `pictures (${images})`,
  ].filter((each) => each !== false)
  if (out.length > 0) steps.push({ name: 'check', detail: `Taken out: ${out.join(', ')}`, ms: 0, ok: true })
  if (cited.length === 0 && !acted(context))
    context.notes.push('The answer names none of the passages: look whether it keeps to them.')
  yield complete(context, { text: writer.text(), found: true, citations: cited })
}

const shows = ({ tools }: AnswerContext): boolean => tools !== null && tools.parts.length > 0
const acted = ({ tools }: AnswerContext): boolean => tools !== null && tools.calls > 0
