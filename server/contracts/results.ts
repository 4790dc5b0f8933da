import { z } from 'zod'
import { defineRoute, gid } from './route'

export const RESULTS_PER_PAGE = 50

const day = z.iso.date('Write a day as YYYY-MM-DD')

export const resultSchema = z.strictObject({
  conversation: gid,
  started_at: z.string(),
  environment: z.enum(['production', 'sharing']),
  /** the flow came to its end */
  completed: z.boolean(),
  /** by the column's id */
  answers: z.record(z.string(), z.string()),
})
export type FlowResult = z.infer<typeof resultSchema>

/** What visitors answered, a row a conversation, newest first; `before` is the last one of the page before. */
export const listResults = defineRoute({
  method: 'GET',
  path: '/api/projects/:pgid/chatbots/:cgid/results',
  access: { feature: 'conversations.view' },
  params: z.strictObject({ pgid: gid, cgid: gid }),
  query: z.strictObject({
    /** days in UTC, inclusive */
    from: day.optional(),
    to: day.optional(),
    completed: z.enum(['yes', 'no']).optional(),
    environment: z.enum(['production', 'sharing']).optional(),
    before: gid.optional(),
  }),
  answer: z.strictObject({
    /** the questions that the rows answer */
    columns: z.array(z.strictObject({ id: z.string(), name: z.string() })),
    results: z.array(resultSchema),
    more: z.boolean(),
  }),
})
