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
const creditNotices = z.strictObject({
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
  thresholds: z
    .array(z.union(creditThresholds.map((share) => z.literal(share))))
    .min(1, 'Choose at least one share, or switch these mails off'),
})

const params = z.strictObject({ pgid: gid })
const answer = z.strictObject({
  ai_credits_usage: creditNotices.extend({
    /** the recipients if there are no addresses */
    owners: z.array(z.string()),
    /** this month */
    used: z.number(),
    max: z.number(),
  }),
})
export type NotificationSettings = z.infer<typeof answer>
export type CreditNoticeChange = Partial<z.infer<typeof creditNotices>>

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
  body: z.strictObject({ ai_credits_usage: creditNotices.partial() }),
  answer,
})
