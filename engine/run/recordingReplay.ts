import { intentsEffect } from '../effects/intents'
import type { BotMessage, StartEvent } from '../flow/conversation'
import type { Reply } from '../flow/effects'
import type { Json } from '../values/json'
import type { Program } from './program'
import type { PlacedCall } from './recordingCompare'
import { compareTurn, type Difference } from './recordingCompare'
import {
  type Expected,
  RECORDING_FORMAT,
  RECORDING_VERSION,
  type RecordedAnswer,
  type RecordedStep,
  type RecordedTurn,
  type Recording,
} from './recordingFormat'
import type { RuntimeEffect } from './runBlock'
import type { Session, TurnResult } from './session'
import { newSession, turn } from './turn'

/** All inputs of a conversation, in order: what is needed to replay it. */
export interface ReceivedInputs {
  name: string
  event: StartEvent
  variables: Record<string, Json>
  turns: readonly { reply: Reply | null; answers: readonly RecordedAnswer[] }[]
}

export interface Replayed {
  /** turn by turn, the first difference from what is expected; null if there is none */
  differences: (Difference | null)[]
  /**
   * the recording as the program answers it now, for accepting the new behaviour; without turns that were not reached
   */
  present: Recording
}

/** A recording of the inputs, with the program's present behaviour as the expectation. */
export const recordConversation = (program: Program, inputs: ReceivedInputs): Recording =>
  replayRecording(program, bareRecording(inputs)).present

/** The inputs as a recording without expectations: its replay produces the one that has them. */
export function bareRecording(inputs: ReceivedInputs): Recording {
  return {
    format: RECORDING_FORMAT,
    version: RECORDING_VERSION,
    name: inputs.name,
    event: { ...inputs.event, begun: inputs.event.begun && [...inputs.event.begun] },
    variables: inputs.variables,
    turns: inputs.turns.map(({ reply, answers }) => ({ reply, answers: [...answers], expected: nothing })),
  }
}

const nothing: Expected = { steps: [], request: null, ended: false, stopped: null, variables: {} }

/**
 * Replays a recorded conversation without the outside world: the runtime's answers come from the recording, matched by
 * type and effect in their order within the turn. A call whose request changed gets its recorded answer and is reported
 * as a difference; an unknown call fails, time stands still and random numbers are 0.5. Pure; accepts every valid
 * recording without throwing.
 */
export function replayRecording(given: Program, recording: Recording): Replayed {
  // whether an embedding model was asked depends on the installation, not on the flow
  const program = { ...given, asksMeaning: asksMeaning(recording) }
  const differences: Replayed['differences'] = []
  const turns: RecordedTurn[] = []
  let session = newSession(program, recording.variables)
  let now = '2000-01-01T00:00:00.000Z'
  for (const [index, recorded] of recording.turns.entries()) {
    if (session.status === 'ended') {
      differences.push({ type: 'unreached', place: null, expected: null, actual: null })
      continue
    }
    const runtime = answering(recorded.answers, now)
    const input =
      index === 0 || !recorded.reply
        ? { type: 'start' as const, event: recording.event }
        : { type: 'reply' as const, reply: recorded.reply }
    // a start in the middle has no reply that the engine could continue with
    if ((input.type === 'start') !== (session.status === 'new')) break
    const result = runtime.drive(turn(program, session, input))
    const present = { reply: recorded.reply, answers: runtime.given(), expected: expectationOf(result) }
    const calls = runtime.calls(session, result)
    differences.push(compareTurn(recorded, present, calls))
    turns.push(present)
    now = runtime.now()
    session = result.session
  }
  return { differences, present: { ...recording, turns } }
}

const asksMeaning = ({ turns }: Recording): boolean =>
  turns.some(({ answers }) => answers.some((answer) => answer.type === 'call' && answer.service === intentsEffect.name))

function answering(recorded: readonly RecordedAnswer[], before: string) {
  const left = [...recorded]
  const given: RecordedAnswer[] = []
  const made: { entry: number; service: string; request: Json }[] = []
  let now = before

  function take(effect: RuntimeEffect): RecordedAnswer {
    const at = left.findIndex(
      (answer) =>
        answer.type === effect.type &&
        (answer.type !== 'call' || effect.type !== 'call' || answer.service === effect.service),
    )
    const [found] = at < 0 ? [] : left.splice(at, 1)
    if (effect.type === 'now') return found?.type === 'now' ? found : { type: 'now', result: now }
    if (effect.type === 'random') return found?.type === 'random' ? found : { type: 'random', result: 0.5 }
    const { service } = effect
    const request = plain(effect.request)
    made.push({ entry: Number.parseInt(effect.key, 10), service, request })
    const result = found?.type === 'call' ? found.result : UNKNOWN_CALL
    return { type: 'call', service, request, result }
  }

  return {
    drive(running: Generator<RuntimeEffect, TurnResult, Json>): TurnResult {
      let step = running.next()
      while (!step.done) {
        const answer = take(step.value)
        if (answer.type === 'now') now = answer.result
        given.push(answer)
        step = running.next(answer.result)
      }
      return step.value
    },
    given: () => given,
    now: () => now,
    /** The key of a call begins with the number of its block's run, which is the step's number within the turn. */
    calls: ({ at, entries }: Session, { trace }: TurnResult): PlacedCall[] => {
      const first = at && trace[0]?.blockId === at.blockId ? entries : entries + 1
      return made.map(({ entry, ...call }) => ({
        ...call,
        step: Math.max(0, Math.min(entry - first, trace.length - 1)),
      }))
    },
  }
}

const UNKNOWN_CALL: Json = { ok: false, error: 'The recording has no answer to this call.' }

/** A turn in the form of a recording's expectation. */
function expectationOf({ trace, messages, session, stopped, variables }: TurnResult): Expected {
  let said = 0
  const steps: RecordedStep[] = trace.map((step) => {
    const own = messages.slice(said, said + step.messages)
    said += step.messages
    const { flowId, groupId, blockId, port, writes } = step
    return { flowId, groupId, blockId, port, said: own.map(toCompare), writes }
  })
  const rest = messages.slice(said)
  if (rest.length > 0)
    steps.push({ flowId: null, groupId: '', blockId: '', port: null, said: rest.map(toCompare), writes: {} })
  return plain({ steps, request: session.request, ended: session.status === 'ended', stopped, variables })
}

/** What visitors see of a message: its place, and what is noted of an answer, are compared by the steps. */
function toCompare({ blockId: _, ...message }: TurnResult['messages'][number]): BotMessage {
  if (!('ai' in message)) return message
  const { ai: __, ...seen } = message
  return seen
}

/** The value after a JSON round trip: without undefined fields. */
const plain = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value))
