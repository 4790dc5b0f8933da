import { z } from 'zod'
import { defineRoute, gid } from './route'

/** A visitor who has not answered for this many minutes counts as gone, until they answer. */
export const LEFT_AFTER_MINUTES = 30

const day = z.iso.date('Write a day as YYYY-MM-DD')

/** Which conversations count: those started on these days (UTC, inclusive), in that environment and version. */
const filter = z.strictObject({
  from: day.optional(),
  to: day.optional(),
  /** `production`: the widget on a website; `sharing`: the shared page; default: both. Tests never count. */
  environment: z.enum(['production', 'sharing']).optional(),
  version: z.coerce.number<string>().int().min(1).max(2_147_483_647).optional(),
})
export type StatisticsFilter = z.infer<typeof filter>

const reach = z.strictObject({
  id: z.string(),
  /** number of conversations that came here, and of visits */
  conversations: z.int(),
  visits: z.int(),
})

const flowStatisticsSchema = z.strictObject({
  /** of the whole chatbot */
  totals: z.strictObject({
    conversations: z.int(),
    completed: z.int(),
    /** unanswered for `LEFT_AFTER_MINUTES`, or past the question's own timeout */
    left: z.int(),
    /** the median of visitors' replies; null without conversations */
    median_replies: z.int().nullable(),
  }),
  /** how many of `left` were left in other flows of the chatbot */
  left_elsewhere: z.int(),
  /** of the flow: by group, including the visitors who left there */
  groups: z.array(reach.extend({ left: z.int() })),
  /** of the flow: by `<block id>/<port id>` */
  edges: z.array(reach),
  /** of the flow: blocks at which visitors left */
  blocks: z.array(z.strictObject({ id: z.string(), left: z.int() })),
  /** all versions that the chatbot's conversations used, whatever the filter; newest first */
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
