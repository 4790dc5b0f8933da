import type { Json } from '../../values/json'
import type { EvaluationContext } from '../operations'
import type { Signature } from '../parse'

/** A function of expressions. `run` gets as many values as the signature says, and throws ExpressionError for wrong ones. */
export interface ExpressionFunction extends Signature {
  readonly run: (args: readonly Json[], context: EvaluationContext) => Json
}

type Run = (args: readonly Json[], context: EvaluationContext) => Json

/** @param count how many values it takes: a number, or from and to */
export const define = (count: number | readonly [min: number, max: number], run: Run, needs?: Signature['needs']) => {
  const [min, max] = typeof count === 'number' ? [count, count] : count
  return { min, max, run, ...(needs && { needs }) } satisfies ExpressionFunction
}

/** Any number of values. */
export const ANY = [1, Number.POSITIVE_INFINITY] as const

/** The value at that place; what was not given is null. */
export const at = (args: readonly Json[], index: number): Json => args[index] ?? null
