import { z } from 'zod'
import { defineRoute } from './route'

/** A place in the documentation. */
const docsPlaceSchema = z.strictObject({
  /** the page, and the section if it is about one */
  title: z.string(),
  /** on this server, with the section as its fragment */
  path: z.string(),
})
export type DocsPlace = z.infer<typeof docsPlaceSchema>

/** Characters of a question. */
export const MOST_QUESTION = 300

/** Answers a question about Parley from its documentation, without a model and without a charge. */
export const askDocs = defineRoute({
  method: 'GET',
  path: '/api/documentation/answer',
  access: 'user',
  limit: { by: 'user', most: 30 },
  query: z.strictObject({
    question: z.string().trim().min(1, 'Enter a question').max(MOST_QUESTION, `At most ${MOST_QUESTION} characters`),
  }),
  answer: z.strictObject({
    /** Markdown; [1] is the first place. Null: nothing answers */
    text: z.string().nullable(),
    /** whether it may help only */
    unsure: z.boolean(),
    /** of the answer by number; where nothing answers, the nearest */
    places: z.array(docsPlaceSchema),
  }),
})
