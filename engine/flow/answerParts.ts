import { z } from 'zod'
import { leadFields } from '../values/agentActions'

/**
 * What a visitor is shown beside an answer's text, since the model used an action. Everything is rendered already; addresses are those that
 * an editor wrote, so that they may be linked.
 */
export const answerPartSchema = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('buttons'),
    text: z.string(),
    buttons: z.array(z.strictObject({ label: z.string(), url: z.string() })),
  }),
  z.strictObject({ type: z.literal('booking'), label: z.string(), url: z.string() }),
  /** what is sent becomes a contact */
  z.strictObject({
    type: z.literal('lead-form'),
    title: z.string(),
    submit_label: z.string(),
    fields: z.array(
      z.strictObject({
        field: z.enum(leadFields),
        /** in the visitor's language; left out: as whoever shows it calls it */
        label: z.string().optional(),
        required: z.boolean(),
        value: z.string(),
      }),
    ),
    thanks: z.string(),
  }),
  /** a person was asked for */
  z.strictObject({ type: z.literal('hand-off'), message: z.string() }),
])
export type AnswerShownPart = z.infer<typeof answerPartSchema>
