import { z } from 'zod'
import { defineRoute, gid } from './route'

/** What is counted by the month (UTC). */
export const monthlyMeters = [
  'ai_message_credits',
  'training_credits',
  'email_credits',
  'resync_credits',
  'speech_to_text_seconds',
] as const
export type MonthlyMeter = (typeof monthlyMeters)[number]

/** Months that a meter shows, and parts that are named. */
export const USAGE_MONTHS = 12
export const USAGE_PARTS = 8

const part = z.strictObject({
  /**
   * a chatbot's or a source's name; of mails what they were for, of syncs `automatic` or `manual`; null: it was
   * deleted
   */
  name: z.string().nullable(),
  used: z.number(),
})
const history = z.strictObject({
  meter: z.enum(monthlyMeters),
  /** of this month, with what is left of one-time credits */
  max: z.number(),
  used: z.number().describe('in this month; reserved credits are not yet used'),
  months: z
    .array(z.strictObject({ month: z.string().describe('YYYY-MM'), used: z.number() }))
    .describe('the oldest first, this month last'),
  forecast: z
    .number()
    .nullable()
    .describe('by the end of the month, at its pace so far; null: it is too young to tell'),
  runs_out: z.string().nullable().describe('when nothing will be left; null: not in this month'),
  parts: z.array(part).describe('what used most of it in this month'),
  others: z.number().describe('what parts that are not named used'),
  /** of AI message credits alone: by whom answers were asked for */
  who: z.strictObject({ visitors: z.number(), members: z.number() }).nullable(),
})
export type UsageHistory = z.infer<typeof history>

/** Of each meter that counts by the month: its months, what it comes to, and what it was used for. */
export const readUsageHistory = defineRoute({
  method: 'GET',
  path: '/api/projects/:pgid/usage/history',
  access: { feature: 'billing.usage' },
  params: z.strictObject({ pgid: gid }),
  answer: z.strictObject({ meters: z.array(history) }),
})
