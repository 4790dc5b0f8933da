import { z } from 'zod'
import { isTimeZone } from '../../engine/values/date'
import { creditPriceSchema } from './creditPrice'
import { defineRoute, gid } from './route'

/** The longest period, in days. */
export const LONGEST_PERIOD = 731
/** Rows of each list of most frequent things. */
export const TOP = 20
/** Members whose work is listed. */
export const MOST_AGENTS = 50
export const DRILLED_PER_PAGE = 50

const day = z.iso.date('Write a day as YYYY-MM-DD')
const zone = z.string().max(64).refine(isTimeZone, 'This is not a time zone')

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
  /** said in the survey that their question was answered, or not, and wrote a comment */
  said_resolved: count,
  said_unresolved: count,
  commented: count,
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

/** A member's work in the conversations that began in the period. */
const agentSchema = z.strictObject({
  gid,
  name: z.string(),
  /** conversations that were given to the member, by whomever */
  taken: count,
  /** those in which the member wrote */
  replied: count,
  /** those that the member closed, and the sum of seconds from the hand-off, or the first message, until then */
  closed: count,
  closed_seconds: count,
  messages: count,
  /** those in which the member was the first to answer, and the sum of seconds until then */
  first_answers: count,
  first_answer_seconds: count,
  /** of those in which the member was the last to answer */
  rated: count,
  rating_sum: count,
  /** assigned and not closed, at present */
  open: count,
  /** messages by the hour of the zone in which they were sent: of those sent in the period */
  hours: z.array(count).length(24),
})
export type AgentFigures = z.infer<typeof agentSchema>

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
  funnel: z.array(z.strictObject({ group: z.string(), title: z.string(), conversations: count, left: count })),
  /** blocks of the main flow, most reached first, by days in UTC; empty without a chatbot */
  blocks: z.array(
    z.strictObject({ block: z.string(), kind: z.string(), group: z.string(), conversations: count, left: count }),
  ),
  /** blocks of the main flow at which most visitors left, by days in UTC; empty without a chatbot */
  drop_off: z.array(z.strictObject({ block: z.string(), kind: z.string(), group: z.string(), left: count })),
  /** members who answered visitors or have open conversations, who wrote most first */
  agents: z.array(agentSchema),
})
export type AnalyticsDetail = z.infer<typeof detailSchema>

export const analyticsSchema = z.strictObject({
  unit: z.enum(['hour', 'day']),
  now: basicSchema,
  before: basicSchema,
  series: z.array(point),
  /** null: the plan has basic analytics alone */
  detail: detailSchema.nullable(),
  /** what a credit costs; null: nobody said, or the plan has basic analytics alone */
  credit_price: creditPriceSchema.nullable(),
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
  /** each conversation is of a visitor who counts; those that nobody wrote in have no message */
  'visitors',
  'messages',
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
  'said_resolved',
  'said_unresolved',
  'commented',
  'helpful',
  'unhelpful',
  'questions',
  'answered',
  'unanswered',
  /** gave a lead, used credits, in the period, whenever they began */
  'leads',
  'credits',
  /** left at a block of the main flow, reached a group or a block of it: as in the funnel, by days in UTC */
  'left',
  'reached',
] as const
export type FigureName = (typeof figureNames)[number]

/**
 * What a figure of a member counts; `agent_open` counts what is open at present, `agent_sent` those in which the member
 * wrote in the period (at an hour of its zone), whenever they began.
 */
export const agentFigureNames = [
  'agent_taken',
  'agent_replied',
  'agent_closed',
  'agent_first_answers',
  'agent_rated',
  'agent_open',
  'agent_sent',
] as const
export type AgentFigureName = (typeof agentFigureNames)[number]

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
    figure: z.enum([...figureNames, ...agentFigureNames]),
    /** whose: for figures of members */
    agent: gid.optional(),
    /** only those with this value */
    language: z.string().max(20).optional(),
    page: z.string().max(500).optional(),
    wording: z.string().max(500).optional(),
    /** only those with a question that this source answered, by its title */
    source: z.string().max(500).optional(),
    /** only those begun on this weekday (1 is Monday) and in this hour of the zone; of `agent_sent`: written in then */
    weekday: z.coerce.number().int().min(1).max(7).optional(),
    hour: z.coerce.number().int().min(0).max(23).optional(),
    /** where visitors left, or came: for `left`, and one of them for `reached` */
    block: z.string().max(64).optional(),
    group: z.string().max(64).optional(),
    /** the last conversation of the page before */
    before: gid.optional(),
  }),
  answer: z.strictObject({ conversations: z.array(drilledSchema), more: z.boolean() }),
})
