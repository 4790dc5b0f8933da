import type { Json } from '../../values/json'
import type { EvaluationContext } from '../operations'
import type { Signature } from '../parse'

/**
 * A function of the expression language. `run` gets as many arguments as the signature says, and throws ExpressionError
 * for invalid ones.
 */
export interface ExpressionFunction extends Signature {
  readonly run: (args: readonly Json[], context: EvaluationContext) => Json
}

type Run = (args: readonly Json[], context: EvaluationContext) => Json

/** @param count the number of arguments, or its minimum and maximum */
export const define = (count: number | readonly [min: number, max: number], run: Run, needs?: Signature['needs']) => {
  const [min, max] = typeof count === 'number' ? [count, count] : count
  return { min, max, run, ...(needs && { needs }) } satisfies ExpressionFunction
}

/** Any number of arguments. */
export const ANY = [1, Number.POSITIVE_INFINITY] as const

/** The argument at that index; null if absent. */
export const at = (args: readonly Json[], index: number): Json => args[index] ?? null
