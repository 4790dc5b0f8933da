import type { z } from 'zod'
import { problemsOf } from '../../engine/values/issues'
import { inOwnLanguage } from '../i18n/serverTexts'

/** The first error of each field by the body's schema, before sending; empty if valid. */
export function fieldErrors(schema: z.ZodType, body: unknown): Record<string, string> {
  const result = schema.safeParse(body)
  if (result.success) return {}
  return Object.fromEntries(
    problemsOf(result.error.issues).map(({ path, message }) => [path.join('.'), inOwnLanguage(message)]),
  )
}
