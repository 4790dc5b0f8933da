import { z } from 'zod'
import { defineRoute, gid } from './route'

/** A visitor who has not answered for this many minutes has left; answering later brings the conversation back. */
export const LEFT_AFTER_MINUTES = 30

const day = z.iso.date('Write a day as YYYY-MM-DD')

/** Which conversations count: those that began on these days (UTC, both included), there, in that version. */
const filter = z.strictObject({
  from: day.optional(),
  to: day.optional(),
  /** `production`: the widget on a website; `sharing`: the shared page; both unless given. Tests are never counted. */
  environment: z.enum(['production', 'sharing']).optional(),
  version: z.coerce.number<string>().int().min(1).max(2_147_483_647).optional(),
})
export type StatisticsFilter = z.infer<typeof filter>

const reach = z.strictObject({
  id: z.string(),
  /** how many conversations came here, and how often they did in all */
  conversations: z.int(),
  visits: z.int(),
})

const flowStatisticsSchema = z.strictObject({
  /** of the whole chatbot */
  totals: z.strictObject({
    conversations: z.int(),
    completed: z.int(),
    /** what the visitor has not answered for `LEFT_AFTER_MINUTES`, or not in the time that the question gives */
    left: z.int(),
    /** how many replies visitors gave: the middle one of all conversations; null without conversations */
    median_replies: z.int().nullable(),
  }),
  /** how many of `left` were left in other flows of the chatbot than the one that is asked for */
  left_elsewhere: z.int(),
  /** of the flow: by group, the visitors who left there with them */
  groups: z.array(reach.extend({ left: z.int() })),
  /** of the flow: by `<block id>/<port id>` */
  edges: z.array(reach),
  /** of the flow: the blocks that visitors left at */
  blocks: z.array(z.strictObject({ id: z.string(), left: z.int() })),
  /** that conversations of the chatbot were about, whatever the filter; the newest first */
  versions: z.array(z.int()),
})
export type FlowStatistics = z.infer<typeof flowStatisticsSchema>

export const readFlowStatistics = defineRoute({
  method: 'GET',
  path: '/api/projects/:pgid/chatbots/:cgid/flows/:fid/statistics',
  access: { feature: 'analytics.view' },
  params: z.strictObject({ pgid: gid, cgid: gid, fid: gid }),
  query: filter,
  answer: flowStatisticsSchema,
})
