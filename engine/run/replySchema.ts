import { z } from 'zod'
import type { Reply } from '../flow/effects'
import { idSchema } from '../flow/schema'
import { caps, counts, tooLong } from '../values/caps'

/** What a visitor may send as an answer (SPEC.md 9: a user message has at most 20000 characters). */
export const replySchema: z.ZodType<Reply> = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text'), text: z.string().max(caps.userMessage, tooLong(caps.userMessage)) }),
  z.strictObject({ type: z.literal('choice'), optionIds: z.array(idSchema).min(1).max(counts.options) }),
  z.strictObject({ type: z.literal('skip') }),
])
