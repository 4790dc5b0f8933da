import type { z } from 'zod'
import { registry } from '../../../blocks/registry'

/** Those of the named fields that a schema lacks. */
export function lacking(schema: z.ZodType, fields: string): string[] {
  const { shape } = schema as z.ZodObject
  return fields.split(' ').filter((field) => !(field in shape))
}

/** The most characters that a schema takes. */
export function capOf(schema: z.ZodType): number {
  const takes = (length: number) => schema.safeParse('a'.repeat(length)).success
  for (let length = 10_000; length > 0; length--) if (takes(length)) return length
  return 0
}

/** Those of the named kinds of blocks that there are not. */
export const kindsAre = (kinds: string): string[] =>
  kinds.split(' ').filter((kind) => registry.find(kind) === undefined)
