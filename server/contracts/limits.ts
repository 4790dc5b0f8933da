import { z } from 'zod'
import { defineRoute, gid } from './route'

const limit = z.enum(['chatbots', 'seats', 'custom_domains'])
const place = z.strictObject({
  gid,
  name: z.string(),
  /** an owner said that it stays; otherwise the oldest do */
  chosen: z.boolean(),
  /** it stays whatever is chosen: an owner */
  fixed: z.boolean(),
  /** it can only be read */
  over: z.boolean(),
})
const placesSchema = z.strictObject({
  limit,
  max: z.number(),
  /** what stays comes first */
  places: z.array(place),
})
export type PlacesView = z.infer<typeof placesSchema>
export type PlaceView = z.infer<typeof place>

/** What can only be read, by name. */
export const readOnlySchema = z.array(z.strictObject({ limit, max: z.number(), names: z.array(z.string()) }))
export type ReadOnlyView = z.infer<typeof readOnlySchema>

const answer = z.strictObject({
  plan: z.string(),
  limits: z.array(placesSchema),
  /** what will be over when the plan shrinks, as it is planned to; null: it is not */
  planned: z.strictObject({ plan: z.string(), at: z.string(), over: readOnlySchema }).nullable(),
})
export type LimitsView = z.infer<typeof answer>

const path = '/api/projects/:pgid/billing/limits' as const
const params = z.strictObject({ pgid: gid })
const chosen = z.array(gid).max(10_000)

/** What counts towards the limits of the plan, as far as the caller may see it. */
export const readLimits = defineRoute({ method: 'GET', path, access: { feature: 'billing.usage' }, params, answer })

/** Chooses what stays when there is more than the plan allows; an empty list leaves it to age. */
export const chooseStay = defineRoute({
  method: 'POST',
  path,
  access: { feature: 'billing.limits' },
  params,
  body: z.strictObject({ limit, chosen }),
  answer,
})
