import type { z } from 'zod'
import { problemsOf } from '../../engine/values/issues'

/** What a body's schema says about each field (its first complaint), before it is sent; empty when all is well. */
export function fieldErrors(schema: z.ZodType, body: unknown): Record<string, string> {
  const result = schema.safeParse(body)
  if (result.success) return {}
  return Object.fromEntries(problemsOf(result.error.issues).map(({ path, message }) => [path.join('.'), message]))
}
