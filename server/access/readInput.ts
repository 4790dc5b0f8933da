import type { z } from 'zod'
import { firstProblem, problemsOf } from '../../engine/values/issues'
import { ApiError } from '../platform/errors'

/** Parses a part of a call. @throws what `failure` makes of the problems */
export function readInput<Value>(
  schema: z.ZodType<Value>,
  input: unknown,
  failure: (issues: z.core.$ZodIssue[]) => ApiError,
): Value {
  const parsed = schema.safeParse(input)
  if (!parsed.success) throw failure(parsed.error.issues)
  return parsed.data
}

/** Problems of a form, in words and by field. */
export const invalidInput = (issues: z.core.$ZodIssue[]): ApiError =>
  new ApiError('invalid', {
    message: firstProblem(issues),
    fields: Object.fromEntries(problemsOf(issues).map(({ path, message }) => [path.join('.'), message])),
  })
