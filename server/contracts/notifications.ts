import { z } from 'zod'
import { caps } from '../../engine/values/caps'
import { emailAddress } from './fields'
import { defineRoute, gid } from './route'

/** Shares of the month's AI credits, in per cent (SPEC.md 9). */
export const creditThresholds = [50, 75, 90, 100] as const
/** The most addresses; ours. */
export const NOTICE_EMAILS = 20

const email = emailAddress(caps.email)

/** Who gets which mails (SPEC.md 3, project_notifications). */
const notices = z.strictObject({
  enabled: z.boolean(),
  /** empty: the project's owners */
  emails: z
    .array(email)
    .max(NOTICE_EMAILS, `Give at most ${NOTICE_EMAILS} addresses`)
    .superRefine((emails, { addIssue }) => {
      const known = emails.map((each) => each.toLowerCase())
      for (const [at, each] of known.entries())
        if (known.indexOf(each) < at)
          addIssue({ code: 'custom', path: [at], message: 'This address is already on the list' })
    }),
})
const creditNotices = notices.extend({
  thresholds: z
    .array(z.union(creditThresholds.map((share) => z.literal(share))))
    .min(1, 'Choose at least one share, or switch these mails off'),
})

const params = z.strictObject({ pgid: gid })
const minutes = z.int().min(1, 'Must be at least 1 minute').max(1_440, 'Must not exceed 1440 minutes')
const answer = z.strictObject({
  /** the recipients where there are no addresses */
  owners: z.array(z.string()),
  new_contact: notices,
  new_conversation: notices,
  /** members are told when a visitor has waited that long for a person */
  waiting_minutes: minutes,
  ai_credits_usage: creditNotices.extend({
    /** this month */
    used: z.number(),
    max: z.number(),
  }),
})
export type NotificationSettings = z.infer<typeof answer>
/** Mails with a list of addresses. */
export type NoticeName = 'ai_credits_usage' | 'new_contact' | 'new_conversation'
const changeSchema = z.strictObject({
  ai_credits_usage: creditNotices.partial().optional(),
  new_contact: notices.partial().optional(),
  new_conversation: notices.partial().optional(),
  waiting_minutes: minutes.optional(),
})

export const readNotifications = defineRoute({
  method: 'GET',
  path: '/api/projects/:pgid/notifications',
  access: { feature: 'notifications.view' },
  params,
  answer,
})
export const updateNotifications = defineRoute({
  method: 'PATCH',
  path: '/api/projects/:pgid/notifications',
  access: { feature: 'notifications.update' },
  params,
  body: changeSchema,
  answer,
})
export type NotificationsChange = z.infer<typeof changeSchema>
