import { z } from 'zod'
import { DAY, isTimeZone } from '../../engine/values/date'
import type { Hours, OpenHours } from '../../engine/values/openHours'
import { defineRoute, gid, ok } from './route'

/** What a member can be told of, the most urgent first. */
export const notificationKinds = [
  'waiting',
  'handed_over',
  'assigned',
  'mentioned',
  'new_conversation',
  'new_contact',
] as const
export type NotificationKind = (typeof notificationKinds)[number]
/** What each kind needs: members without it are not told. */
export const featureOfKind = {
  waiting: 'conversations.view',
  handed_over: 'conversations.view',
  assigned: 'conversations.view',
  mentioned: 'conversations.view',
  new_conversation: 'conversations.view',
  new_contact: 'contacts.view',
} as const satisfies Record<NotificationKind, string>

const ways = z.strictObject({ app: z.boolean(), mail: z.boolean(), push: z.boolean() })
export type NotificationWay = keyof z.infer<typeof ways>
const wanted = (app: boolean, mail: boolean) => ways.default({ app, mail, push: false })
const minute = z
  .int()
  .min(0)
  .max(DAY - 1)

/** What a member wants to be told of in a project, and how. */
export const personalSchema = z.strictObject({
  wants: z
    .strictObject({
      waiting: wanted(true, true),
      // the hand-off itself mails the team
      handed_over: wanted(true, false),
      assigned: wanted(true, true),
      mentioned: wanted(true, true),
      new_conversation: wanted(false, false),
      new_contact: wanted(false, false),
    })
    .prefault({}),
  /** one mail for what came meanwhile; daily: at eight in the morning */
  mail: z.enum(['at_once', 'hourly', 'daily']).default('at_once'),
  sound: z.boolean().default(true),
  time_zone: z.string().max(64).refine(isTimeZone, 'This is not a time zone').default('UTC'),
  /** no mails, pushes and sounds then; `to` before `from`: until the next morning */
  quiet: z
    .strictObject({ enabled: z.boolean(), from: minute, to: minute })
    .default({ enabled: false, from: 22 * 60, to: 7 * 60 }),
})
export type PersonalSettings = z.infer<typeof personalSchema>

/** The quiet hours of every day; null: there are none. */
export function quietHours({ quiet, time_zone }: Pick<PersonalSettings, 'quiet' | 'time_zone'>): OpenHours | null {
  const { enabled, from, to } = quiet
  if (!enabled || from === to) return null
  if (from < to) return everyDay(time_zone, [{ from, to }])
  const hours = [
    { from: 0, to },
    { from, to: DAY },
  ]
  return everyDay(
    time_zone,
    hours.filter((each) => each.to > each.from),
  )
}
/** The same hours on each day of the week. */
export const everyDay = (time_zone: string, hours: readonly Hours[]): OpenHours => ({
  time_zone,
  week: Array.from({ length: 7 }, () => hours),
  exceptions: [],
})

export const notificationSchema = z.strictObject({
  id: z.string(),
  kind: z.enum(notificationKinds),
  at: z.string(),
  seen: z.boolean(),
  /** what it is called: the contact's name or address, if known */
  who: z.string().nullable(),
  /** the member who caused it */
  by: z.string().nullable(),
  chatbot: z.strictObject({ gid, name: z.string() }).nullable(),
  /** null: it is about a contact */
  conversation: gid.nullable(),
})
export type NotificationEntry = z.infer<typeof notificationSchema>

const base = '/api/projects/:pgid/my-notifications'
/** Who sees neither conversations nor contacts has nothing to be told of. */
const access = { feature: 'conversations.view' } as const
const params = z.strictObject({ pgid: gid })
const rowId = z.string().regex(/^[1-9]\d{0,17}$/)
export const NOTIFICATIONS_PER_PAGE = 30

/** Newest first; `before` is the id of the previous page's last one. */
export const listMyNotifications = defineRoute({
  method: 'GET',
  path: base,
  access,
  params,
  query: z.strictObject({ before: rowId.optional() }),
  answer: z.strictObject({ notifications: z.array(notificationSchema), unseen: z.int(), more: z.boolean() }),
})
/** Marks them as seen: one, or all up to one. */
export const seeMyNotifications = defineRoute({
  method: 'POST',
  path: `${base}/seen`,
  access,
  params,
  body: z.union([z.strictObject({ id: rowId }), z.strictObject({ up_to: rowId })]),
  answer: z.strictObject({ unseen: z.int() }),
})
/** What each event of the stream holds: `newest` is the newest one that is not seen. */
export const newsSchema = z.strictObject({ unseen: z.int(), newest: notificationSchema.nullable() })
/** Server-sent events `update`, at first and whenever something is new. */
export const myNotificationEvents = defineRoute({
  method: 'GET',
  path: `${base}/events`,
  access,
  params,
  answer: z.unknown(),
})
export const readMySettings = defineRoute({
  method: 'GET',
  path: `${base}/settings`,
  access,
  params,
  answer: z.strictObject({ settings: personalSchema }),
})
export const saveMySettings = defineRoute({
  method: 'POST',
  path: `${base}/settings`,
  access,
  params,
  body: z.strictObject({ settings: personalSchema }),
  answer: z.strictObject({ settings: personalSchema }),
})

/** The key that browsers subscribe with (RFC 8292), and whether this browser is known. */
export const readPushKey = defineRoute({
  method: 'GET',
  path: '/api/push-subscriptions/key',
  access: 'user',
  answer: z.strictObject({ key: z.string() }),
})
const base64url = (bytes: number) =>
  z
    .string()
    .regex(/^[A-Za-z0-9_-]+=*$/)
    .max(Math.ceil(bytes * 1.4) + 4)
const endpoint = z.url({ protocol: /^https$/ }).max(2_000)
/** A browser that wants pushes: what `PushSubscription.toJSON()` gives. */
export const addPushSubscription = defineRoute({
  method: 'POST',
  path: '/api/push-subscriptions',
  access: 'user',
  body: z.strictObject({
    endpoint,
    keys: z.strictObject({ p256dh: base64url(65), auth: base64url(16) }),
  }),
  answer: ok,
})
export const removePushSubscription = defineRoute({
  method: 'DELETE',
  path: '/api/push-subscriptions',
  access: 'user',
  body: z.strictObject({ endpoint }),
  answer: ok,
})

/** How many browsers of one account are pushed to; an older one makes place. Ours. */
export const PUSH_SUBSCRIPTIONS = 10
