import type { Json } from '../values/json'
import type { Expected, RecordedAnswer, RecordedStep, RecordedTurn } from './recordingFormat'

import type { Place } from './session'

/**
 * How a conversation differs from its recording.
 * - `path`: after `place` it went to another block; `left`: by another port
 * - `said`, `set`, `called`, `asked`: other messages, values, calls, another question at `place`
 * - `ended`: it ends although it went on, or the reverse; `stopped`: the same for a safety limit
 * - `unreached`: it was over before this turn
 */
export interface Difference {
  type: 'path' | 'left' | 'said' | 'set' | 'called' | 'asked' | 'ended' | 'stopped' | 'unreached'
  /** null if no block is responsible */
  place: Place | null
  expected: Json
  actual: Json
}

/** The first difference of a turn, in order of execution; null: none. Texts and values are compared exactly. */
export function compareTurn(
  recorded: RecordedTurn,
  present: RecordedTurn,
  calls: readonly PlacedCall[],
): Difference | null {
  const before = recorded.expected
  const after = present.expected
  const changedCall = findChangedCall(recorded.answers, calls)
  for (let index = 0; index < Math.max(before.steps.length, after.steps.length); index++) {
    const was = before.steps[index]
    const is = after.steps[index]
    if (!was || !is || !samePlace(was, is)) {
      const from = after.steps[index - 1] ?? is
      return difference('path', from, was ? placeOf(was) : null, is ? placeOf(is) : null)
    }
    if (changedCall?.step === index) return difference('called', is, changedCall.expected, changedCall.actual)
    if (!sameJson(was.said, is.said)) return difference('said', is, was.said, is.said)
    if (!sameJson(was.writes, is.writes)) return difference('set', is, was.writes, is.writes)
    if (was.port !== is.port) return difference('left', is, was.port, is.port)
  }
  const last = after.steps.at(-1)
  if (changedCall) return difference('called', last, changedCall.expected, changedCall.actual)
  if (!sameJson(before.request, withoutNewLimits(before.request, after.request)))
    return difference('asked', last, before.request, after.request)
  if (!sameJson(before.stopped, after.stopped)) {
    return difference('stopped', after.stopped?.at ?? last, before.stopped, after.stopped)
  }
  if (before.ended !== after.ended) return difference('ended', last, before.ended, after.ended)
  const [was, is] = unlike(before.variables, after.variables)
  return sameJson(was, is) ? null : difference('set', last, was, is)
}

/** Older recordings lack the limits of form fields: limits missing in a recording are not compared. */
function withoutNewLimits(before: Expected['request'], after: Expected['request']): Expected['request'] {
  if (before?.input !== 'form' || after?.input !== 'form') return after
  const limited = new Set(before.fields.flatMap(({ id, maxLength }) => (maxLength === undefined ? [] : [id])))
  const fields = after.fields.map(({ maxLength, ...field }) =>
    limited.has(field.id) && maxLength !== undefined ? { ...field, maxLength } : field,
  )
  return { ...after, fields }
}

function difference(type: Difference['type'], at: Place | undefined, expected: Json, actual: Json): Difference {
  return { type, place: at && at.blockId !== '' ? placeOf(at) : null, expected, actual }
}

const placeOf = ({ flowId, groupId, blockId }: Place) => ({ flowId, groupId, blockId })

/** A block that was moved to another group is the same block. */
const samePlace = (a: RecordedStep, b: RecordedStep): boolean => a.flowId === b.flowId && a.blockId === b.blockId

function findChangedCall(answers: readonly RecordedAnswer[], made: readonly PlacedCall[]) {
  const before = answers.flatMap(({ type, ...answer }) =>
    type === 'call' && 'service' in answer ? [{ service: answer.service, request: answer.request }] : [],
  )
  const count = Math.max(before.length, made.length)
  for (let index = 0; index < count; index++) {
    const was = before[index] ?? null
    const call = made[index]
    const is = call ? { service: call.service, request: call.request } : null
    if (!sameJson(was, is)) return { step: call?.step ?? -1, expected: was, actual: is }
  }
  return null
}

/** Only the values that differ. */
function unlike(before: Record<string, Json>, after: Record<string, Json>): [Json, Json] {
  const ids = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  const changed = ids.filter((id) => !sameJson(before[id] ?? null, after[id] ?? null))
  const pick = (values: Record<string, Json>): Json => Object.fromEntries(changed.map((id) => [id, values[id] ?? null]))
  return [pick(before), pick(after)]
}

/** Equal as JSON, regardless of key order; an undefined field counts as absent. */
function sameJson(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a) || Array.isArray(b)) {
    return (
      Array.isArray(a) &&
      Array.isArray(b) &&
      a.length === b.length &&
      a.every((item, index) => sameJson(item, b[index]))
    )
  }
  const keys = new Set([...Object.keys(a), ...Object.keys(b)])
  return [...keys].every((key) => sameJson(a[key], b[key]))
}

/** A call with the step that made it. */
export type PlacedCall = { step: number; service: string; request: Json }
