import { z } from 'zod'
import { defineRoute, gid } from './route'

/** The longest period, in days. */
export const LONGEST_PERIOD = 731
/** Rows of each list of most frequent things. */
export const TOP = 20
export const DRILLED_PER_PAGE = 50

const day = z.iso.date('Write a day as YYYY-MM-DD')
const zone = z
  .string()
  .max(64)
  .refine((name) => {
    try {
      return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
    } catch {
      return false
    }
  }, 'This is not a time zone')

/** Conversations that began on these days of the zone (inclusive); tests never count. */
const filter = {
  /** absent: all chatbots of the project */
  chatbot: gid.optional(),
  from: day,
  to: day,
  zone,
  /** `production`: the widget on a website; `sharing`: the shared page; default: both */
  environment: z.enum(['production', 'sharing']).optional(),
  channel: z.string().min(1).max(64).optional(),
}
const filterSchema = z.strictObject(filter)
export type AnalyticsFilter = z.infer<typeof filterSchema>

const count = z.int()
const basicSchema = z.strictObject({ conversations: count, messages: count, visitors: count })
export type BasicFigures = z.infer<typeof basicSchema>

const figuresSchema = basicSchema.extend({
  returning_visitors: count,
  silent: count,
  resolved_bot: count,
  resolved_person: count,
  unresolved: count,
  handed_over: count,
  /** answered by a person, and the sum of seconds until then */
  person_answered: count,
  answer_seconds: count,
  rated: count,
  rating_sum: count,
  rated_1: count,
  rated_2: count,
  rated_3: count,
  rated_4: count,
  rated_5: count,
  helpful: count,
  unhelpful: count,
  questions: count,
  answered: count,
  leads: count,
  /** null: not known for one environment or channel alone */
  credits: z.number().nullable(),
})
export type Figures = z.infer<typeof figuresSchema>

const share = z.strictObject({ name: z.string(), conversations: count })
const questionSchema = z.strictObject({
  wording: z.string(),
  /** as it was asked last */
  question: z.string(),
  asked: count,
  answered: count,
})

const point = z.strictObject({
  /** of the zone: a day, or an hour as `2026-11-23T09` */
  at: z.string(),
  conversations: count,
  messages: count,
  resolved: count,
  /** of the same point in the period before */
  before: count,
})
export type AnalyticsPoint = z.infer<typeof point>

const detailSchema = z.strictObject({
  now: figuresSchema,
  before: figuresSchema,
  /** by weekday, 1 is Monday, and hour of the zone; absent ones are 0 */
  heat: z.array(z.strictObject({ weekday: z.int(), hour: z.int(), conversations: count })),
  /** '' is unknown */
  languages: z.array(share),
  channels: z.array(share),
  environments: z.array(share),
  pages: z.array(share),
  /** of the project, by gid as their name is theirs; empty for one chatbot */
  chatbots: z.array(share.extend({ gid })),
  top_questions: z.array(questionSchema),
  unanswered: z.array(questionSchema),
  sources: z.array(z.strictObject({ title: z.string(), questions: count })),
  /** groups of the main flow, most reached first, by days in UTC; empty without a chatbot */
  funnel: z.array(z.strictObject({ title: z.string(), conversations: count })),
})
export type AnalyticsDetail = z.infer<typeof detailSchema>

export const analyticsSchema = z.strictObject({
  unit: z.enum(['hour', 'day']),
  now: basicSchema,
  before: basicSchema,
  series: z.array(point),
  /** null: the plan has basic analytics alone */
  detail: detailSchema.nullable(),
})
export type Analytics = z.infer<typeof analyticsSchema>

/** The figures of a period, and those of the period of the same length before it. */
export const readAnalytics = defineRoute({
  method: 'GET',
  path: '/api/projects/:pgid/analytics',
  access: { feature: 'analytics.view' },
  limit: { by: 'user', most: 240 },
  params: z.strictObject({ pgid: gid }),
  query: filterSchema,
  answer: analyticsSchema,
})

/** What a figure counts. */
export const figureNames = [
  'conversations',
  'returning_visitors',
  'silent',
  'resolved_bot',
  'resolved_person',
  'unresolved',
  'handed_over',
  'person_answered',
  'rated',
  'rated_1',
  'rated_2',
  'rated_3',
  'rated_4',
  'rated_5',
  'helpful',
  'unhelpful',
  'questions',
  'answered',
  'unanswered',
] as const
export type FigureName = (typeof figureNames)[number]

export const drilledSchema = z.strictObject({
  gid,
  chatbot: z.strictObject({ gid, name: z.string() }),
  started_at: z.string(),
  environment: z.enum(['production', 'sharing']),
  channel: z.string(),
  language: z.string(),
  messages: count,
  outcome: z.enum(['silent', 'resolved_bot', 'resolved_person', 'unresolved']),
  rating: count.nullable(),
})
export type DrilledConversation = z.infer<typeof drilledSchema>

/** The conversations behind a figure, newest first. */
export const drillAnalytics = defineRoute({
  method: 'GET',
  path: '/api/projects/:pgid/analytics/conversations',
  access: { feature: 'conversations.view' },
  plan: 'analytics',
  params: z.strictObject({ pgid: gid }),
  query: z.strictObject({
    ...filter,
    figure: z.enum(figureNames),
    /** only those with this value */
    language: z.string().max(20).optional(),
    page: z.string().max(500).optional(),
    wording: z.string().max(500).optional(),
    /** the last conversation of the page before */
    before: gid.optional(),
  }),
  answer: z.strictObject({ conversations: z.array(drilledSchema), more: z.boolean() }),
})
