import type { z } from 'zod'
import { registry } from '../../../blocks/registry'
import { chatMessageSchema } from '../../../server/contracts/chat'
import { threadPageSchema } from '../../../server/contracts/inbox'
import { equals } from './row'

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

/** Numbers that a schema of an author takes. */
const takenBy = (author: z.ZodType): number[] => [0, 1, 2, 3].filter((code) => author.safeParse(code).success)

/** A visitor’s messages, and those of the inbox and the public API, name who wrote them by the codes 1 and 2. */
export const authorCodes = [
  equals(() => takenBy(chatMessageSchema.shape.author), [1, 2]),
  equals(() => takenBy(threadPageSchema.shape.messages.element.shape.author), [1, 2]),
] as const
