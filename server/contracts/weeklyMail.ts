import { z } from 'zod'
import { caps } from '../../engine/values/caps'
import { isTimeZone } from '../../engine/values/date'
import { emailAddress } from './fields'
import { defineRoute, gid, ok } from './route'

/** The most people without an account who get one member's weekly mail. */
export const MOST_GUESTS = 20
/** Days in which a guest can confirm. */
export const CONFIRM_DAYS = 7

const params = z.strictObject({ pgid: gid })
/** Of which figures; absent: of all chatbots of the project. */
const about = { chatbot: gid.optional() }

const times = {
  /** 1 is Monday */
  weekday: z.int().min(1).max(7),
  hour: z.int().min(0).max(23),
  zone: z.string().max(64).refine(isTimeZone, 'This is not a time zone'),
}
const guestSchema = z.strictObject({ gid, email: z.string(), confirmed: z.boolean() })
const answer = z.strictObject({
  enabled: z.boolean(),
  ...times,
  /** when the next one is sent; null: none is */
  next: z.string().nullable(),
  guests: z.array(guestSchema),
})
export type WeeklyMail = z.infer<typeof answer>
export type WeeklyGuest = z.infer<typeof guestSchema>

/** The caller's own weekly mail of a project or a chatbot; off until it is switched on. */
export const readWeeklyMail = defineRoute({
  method: 'GET',
  path: '/api/projects/:pgid/weekly-mail',
  access: { feature: 'analytics.view' },
  params,
  query: z.strictObject(about),
  answer,
})
export const saveWeeklyMail = defineRoute({
  method: 'PATCH',
  path: '/api/projects/:pgid/weekly-mail',
  access: { feature: 'analytics.view' },
  params,
  body: z.strictObject({ ...about, enabled: z.boolean(), ...times }),
  answer,
})
/** Asks somebody without an account, by mail, whether they want them too. */
export const addWeeklyGuest = defineRoute({
  method: 'POST',
  path: '/api/projects/:pgid/weekly-mail/guests',
  access: { feature: 'analytics.export' },
  limit: { by: 'user', most: 30, seconds: 3_600 },
  params,
  body: z.strictObject({ ...about, email: emailAddress(caps.email) }),
  answer,
})
export const removeWeeklyGuest = defineRoute({
  method: 'DELETE',
  path: '/api/projects/:pgid/weekly-guests/:gid',
  access: { feature: 'analytics.export' },
  params: params.extend({ gid }),
  answer: ok,
})

/** Pages of a guest's links; their buttons send what programs that follow links don't. */
const ofLink = { access: 'public', limit: { by: 'address', most: 60 }, answer: z.unknown() } as const
const byToken = z.strictObject({ token: z.string().min(1).max(64) })
const confirmPath = '/api/weekly-mails/:token/confirm'
const endPath = '/api/weekly-mails/:token/end'
export const showWeeklyConfirm = defineRoute({ ...ofLink, method: 'GET', path: confirmPath, params: byToken })
export const confirmWeeklyMail = defineRoute({ ...ofLink, method: 'POST', path: confirmPath, params: byToken })
export const showWeeklyEnd = defineRoute({ ...ofLink, method: 'GET', path: endPath, params: byToken })
/** Ends them for one address (RFC 8058). */
export const endWeeklyMail = defineRoute({ ...ofLink, method: 'POST', path: endPath, params: byToken })
