import type { Effect } from '../flow/effects'
import { now, random, read } from '../flow/steps'
import type { DynamicValue } from '../values/dynamicValue'
import { type Evaluated, evaluate } from './evaluate'
import { parseExpression } from './parseExpression'

/**
 * For a block's `run`: evaluates an expression with the current variables; yields effects for time and randomness if it
 * uses them.
 */
export function* evaluateNow(value: DynamicValue): Generator<Effect, Evaluated, unknown> {
  const parsed = parseExpression(value)
  if (!parsed.ok) return parsed
  const { expression } = parsed
  return evaluate(expression, {
    variables: yield* read(),
    ...(expression.usesNow && { now: yield* now() }),
    ...(expression.usesChance && { chance: yield* random() }),
  })
}
