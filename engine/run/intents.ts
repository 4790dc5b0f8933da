import { charge } from '../budget'
import { resultOf } from '../effects/defineEffect'
import { intentsEffect } from '../effects/intents'
import type { Intent } from '../flow/defineBlock'
import type { Cause, InputRequest, Reply } from '../flow/effects'
import type { Recognised } from '../intents/classifier'
import { parseDate } from '../values/date'
import type { Json } from '../values/json'
import { isPhone, parseEmail, parseNumber, parseUrl } from '../values/rules'
import type { FlowProgram, Program, ProgramBlock } from './program'
import type { RuntimeEffect } from './runBlock'
import type { Session } from './session'

/** What interrupts a question: the trigger to continue at, and the flow that contains it. */
export interface Interruption {
  trigger: ProgramBlock
  flow: FlowProgram
  intent: Pick<Intent, 'resumes'>
  cause: Cause
}
export interface DetectedIntent extends Interruption {
  intent: Intent
}

/** The most characters that the classifier reads, and the cost of a character per intent. */
const LONGEST_SIGHT = 16_000
const LETTER = 5

/**
 * Decides whether a typed reply means an intent rather than an answer; null: no, the waiting block gets the reply.
 * 1. A clear answer to the question (`isAnswer`) is an answer.
 * 2. Intents named by the question come before global ones; a question that is not interruptible ignores the latter.
 *    Within each, the classifier's order counts.
 * 3. Intents are those of the asking flow and, in a sub-flow, of the main flow.
 * 4. The intent that interrupted last does not interrupt the question it led to.
 */
export function* detectIntent(
  program: Program,
  session: Session,
  reply: Reply,
): Generator<RuntimeEffect, DetectedIntent | null, Json> {
  const { request } = session
  const text = reply.type === 'text' ? reply.text.trim() : ''
  if (!program.classify || !request || text === '') return null
  const listen = session.listen ?? { intents: [], interruptible: request.input === 'wait' }
  if ((listen.intents.length === 0 && !listen.interruptible) || isAnswer(request, text)) return null
  const asks = program.asksMeaning && request.input !== 'wait'
  charge(Math.min(text.length, LONGEST_SIGHT) * LETTER * Math.max(1, program.intents.size))
  const recognised = (asks ? yield* askMeaning(session, text) : null) ?? program.classify(text)
  const flows = session.flowId === null ? [session.flowId] : [session.flowId, null]
  const fitting = recognised.flatMap(({ blockId, confidence }) => {
    const flow = flows.map((id) => program.flow(id)).find((candidate) => candidate?.intents.has(blockId))
    const trigger = flow?.blocks.get(blockId)
    const intent = flow?.intents.get(blockId)
    if (!flow || !trigger || !intent || blockId === session.cutIn) return []
    return [{ trigger, flow, intent, cause: { type: 'intent' as const, text, confidence } }]
  })
  const named = fitting.find(({ trigger }) => listen.intents.includes(trigger.id))
  return named ?? (listen.interruptible ? fitting.find(({ intent }) => intent.global) : undefined) ?? null
}

/**
 * The runtime's classification of a text; null if it has none. Its effect key is next to those of the waiting block.
 */
function* askMeaning(
  { entries, journal }: Session,
  text: string,
): Generator<RuntimeEffect, readonly Recognised[] | null, Json> {
  const key = `${entries}.${journal.length}.meaning`
  const answer = resultOf(intentsEffect, yield { type: 'call', key, service: intentsEffect.name, request: { text } })
  return answer.ok ? answer.recognised : null
}

/** Whether any intent is listened for while nothing is asked. */
export const detectsAlways = ({ classify, intents }: Program): boolean =>
  classify !== null && [...intents.values()].some(({ global }) => global)

/** Whether a typed text clearly answers the question: an option's label, or what a strict input accepts. */
export function isAnswer(request: InputRequest, text: string): boolean {
  if ('quickReplies' in request && request.quickReplies?.some(({ label }) => isSame(label, text))) return true
  switch (request.input) {
    case 'choice':
    case 'rating':
      return request.options.some(({ label }) => isSame(label, text))
    case 'email':
      return parseEmail(text) !== null
    case 'phone':
      return isPhone(text)
    case 'number':
      return parseNumber(text, request) !== null
    case 'url':
      return parseUrl(text) !== null
    case 'date':
      return text.includes('/') === request.range && text.split('/').every((part) => parseDate(part, request.mode))
    default:
      return false
  }
}

const isSame = (label: string, text: string): boolean => label.trim().toLowerCase() === text.trim().toLowerCase()
