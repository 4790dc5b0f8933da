import type { z } from 'zod'

/** What a body's schema says about each field (its first complaint), before it is sent; empty when all is well. */
export function fieldErrors(schema: z.ZodType, body: unknown): Record<string, string> {
  const result = schema.safeParse(body)
  if (result.success) return {}
  const fields: Record<string, string> = {}
  for (const { path, message } of result.error.issues) fields[path.join('.')] ??= message
  return fields
}
