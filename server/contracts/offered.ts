import { z } from 'zod'
import { formFieldTypes } from '../../engine/flow/conversation'

const option = z.strictObject({
  label: z.string(),
  /** opens this address instead of answering */
  url: z.string().optional(),
})
/** Most options, fields and choices of a field that are kept of a question; `more` says how many were left out. */
export const MOST_OFFERED = 100
const more = z.int().optional()

/**
 * What a question offered beside a field to type in: what the visitor could press, fill in or send. Without what they
 * then did, which is a message.
 */
export const offeredSchema = z.discriminatedUnion('input', [
  /** `quick`: suggested beside a field to type in */
  z.strictObject({ input: z.enum(['choice', 'quick']), multiple: z.boolean(), options: z.array(option), more }),
  z.strictObject({
    input: z.literal('rating'),
    scale: z.enum(['emoji', 'text', 'stars', 'numbers']),
    options: z.array(option),
  }),
  z.strictObject({
    input: z.literal('form'),
    /** empty: the chat's own word */
    submit: z.string(),
    fields: z.array(
      z.strictObject({
        label: z.string(),
        type: z.enum(formFieldTypes),
        required: z.boolean(),
        placeholder: z.string(),
        choices: z.array(z.string()),
      }),
    ),
    more,
  }),
  z.strictObject({ input: z.literal('date'), mode: z.enum(['date', 'time', 'date-time']), range: z.boolean() }),
  z.strictObject({ input: z.literal('file'), accept: z.array(z.string()), many: z.boolean() }),
])
export type Offered = z.infer<typeof offeredSchema>
