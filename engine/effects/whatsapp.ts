import { z } from 'zod'
import { defineEffect, optional } from './defineEffect'

/** Longer than any text that a flow renders: the handler says what is too long. */
const text = z.string().max(200_000)

/** Values for the places of a template, by where each stands. */
export const templateValuesSchema = z
  .array(
    z.strictObject({
      part: z.enum(['header', 'body', 'button']),
      /** which button; 0 elsewhere */
      index: z.int(),
      name: text,
      kind: z.enum(['text', 'image', 'video', 'document']),
      value: text,
    }),
  )
  .max(40)

/** The failure of a channel that takes nothing but templates now. */
export const OUTSIDE_WINDOW = 'outside-window'

/** What a flow asks of WhatsApp before it says something there, and notes of a person. It sends nothing. */
export const whatsappEffect = defineEffect({
  name: 'whatsapp',
  request: z.discriminatedUnion('ask', [
    /** whether anything may be said now; else it fails with `OUTSIDE_WINDOW` */
    z.strictObject({ ask: z.literal('window') }),
    /** notes that the person agrees to be sent marketing, or does not any more, and what they were asked */
    z.strictObject({ ask: z.literal('opt-in'), agrees: z.boolean(), words: text }),
    /** whether a template may be sent with these values, and what it says then */
    z.strictObject({ ask: z.literal('template'), name: text, language: text, values: templateValuesSchema }),
  ]),
  result: z.object({
    ok: z.boolean(),
    /** `OUTSIDE_WINDOW`, or a sentence for the editor */
    error: optional(z.string()),
    /** what a template says with its values */
    text: optional(z.string()),
  }),
})
