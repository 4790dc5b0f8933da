import type { Json } from '../values/json'
import type { RuntimeEffect } from './runBlock'
import type { TurnResult } from './session'

/** Runs a turn to its end; `answer` executes the effects it yields. Whatever `answer` throws is passed on. */
export function driveTurn(
  turn: Generator<RuntimeEffect, TurnResult, Json>,
  answer: (effect: RuntimeEffect) => Json,
): TurnResult {
  let step = turn.next()
  while (!step.done) step = turn.next(answer(step.value))
  return step.value
}
