import { z } from 'zod'
import { defineRoute, gid } from './route'

/** What all prices are in (PRODUCT.md names none). */
export const CURRENCY = 'usd'

const addon = z.strictObject({
  id: z.int(),
  name: z.string(),
  quantity: z.int(),
  /** of one, per month; 20 % less if paid yearly */
  price: z.number(),
  /** what one of them adds, by the limit's name */
  adds: z.record(z.string(), z.number()),
  /** what one of them switches on; null: nothing */
  feature: z.string().nullable(),
})
export type AddonView = z.infer<typeof addon>

/** What a project may do, and where it comes from: the plan's limits, and what add-ons add to each. */
export const readEntitlements = defineRoute({
  method: 'GET',
  path: '/api/projects/:pgid/billing/entitlements',
  access: { feature: 'billing.addons' },
  params: z.strictObject({ pgid: gid }),
  answer: z.strictObject({
    plan: z.string(),
    limits: z.array(z.strictObject({ limit: z.string(), plan: z.number(), total: z.number() })),
    addons: z.array(addon),
  }),
})
