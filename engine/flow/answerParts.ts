import { z } from 'zod'
import { leadFields } from '../values/agentActions'

/** An editor's text with a model's words inserted: longer than either. */
const rendered = z.string().max(100_000)

/**
 * What a visitor is shown beside an answer's text because the model used an action. Fully rendered; addresses were
 * written by an editor, so they may be linked.
 */
export const answerPartSchema = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('buttons'),
    text: rendered,
    buttons: z.array(z.strictObject({ label: rendered, url: rendered })),
  }),
  z.strictObject({ type: z.literal('booking'), label: rendered, url: rendered }),
  /** the entry becomes a contact */
  z.strictObject({
    type: z.literal('lead-form'),
    title: rendered,
    submit_label: rendered,
    fields: z.array(
      z.strictObject({
        field: z.enum(leadFields),
        /** in the visitor's language; absent: the client's own label */
        label: rendered.optional(),
        required: z.boolean(),
        value: rendered,
      }),
    ),
    thanks: rendered,
  }),
  /** hands the conversation to people once the visitor's address is known; `message` is said then */
  z.strictObject({
    type: z.literal('hand-off'),
    message: rendered,
    team: rendered.optional(),
    note: rendered.optional(),
  }),
])
export type AnswerShownPart = z.infer<typeof answerPartSchema>
