import { z } from 'zod'
import { leadFields } from '../values/agentActions'

/** What an editor wrote, with what a model said put in: longer than either alone. */
const rendered = z.string().max(100_000)

/**
 * What a visitor is shown beside an answer's text, since the model used an action. Everything is rendered already; addresses are those that
 * an editor wrote, so that they may be linked.
 */
export const answerPartSchema = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('buttons'),
    text: rendered,
    buttons: z.array(z.strictObject({ label: rendered, url: rendered })),
  }),
  z.strictObject({ type: z.literal('booking'), label: rendered, url: rendered }),
  /** what is sent becomes a contact */
  z.strictObject({
    type: z.literal('lead-form'),
    title: rendered,
    submit_label: rendered,
    fields: z.array(
      z.strictObject({
        field: z.enum(leadFields),
        /** in the visitor's language; left out: as whoever shows it calls it */
        label: rendered.optional(),
        required: z.boolean(),
        value: rendered,
      }),
    ),
    thanks: rendered,
  }),
  /** the conversation goes to people, once the visitor's address is known; `message` is said then */
  z.strictObject({
    type: z.literal('hand-off'),
    message: rendered,
    team: rendered.optional(),
    note: rendered.optional(),
  }),
])
export type AnswerShownPart = z.infer<typeof answerPartSchema>
