import { z } from 'zod'
import { readOnlySchema } from './limits'
import { defineRoute, gid, ok } from './route'

const interval = z.enum(['month', 'year'])
const cents = z.int()
const quantity = z.int('Enter a whole number').min(0, 'Enter 0 or more').max(1_000, 'Enter 1,000 or less')
/** By the add-on's id. */
const addons = z.record(z.string().regex(/^[1-9]\d?$/), quantity)
const paid = {
  plan_id: z.string(),
  interval,
  addons: z.array(z.strictObject({ id: z.int(), name: z.string(), quantity: z.int() })),
}

const stateSchema = z.strictObject({
  ...paid,
  /** Stripe's word: active, trialing, past_due, unpaid, paused, canceled, incomplete, incomplete_expired */
  status: z.string(),
  /** whether it goes on, and can be changed */
  live: z.boolean(),
  /** of one interval, in whole cents */
  cents,
  currency: z.string(),
  /** when the next invoice is charged; null: it ends, or has */
  next_charge_at: z.string().nullable(),
  cancel_at: z.string().nullable(),
  trial_end: z.string().nullable(),
  ended_at: z.string().nullable(),
  /** what it becomes at the period's end */
  scheduled: z.strictObject({ ...paid, at: z.string() }).nullable(),
  /** a payment fails since then */
  failing_since: z.string().nullable(),
  /** until then it takes nothing away */
  grace_until: z.string().nullable(),
  /** where it is paid, or a change confirmed */
  payment_url: z.string().nullable(),
  /** a change waits until it is paid */
  waits: z.boolean(),
})
export type SubscriptionView = z.infer<typeof stateSchema>

const viewSchema = z.strictObject({
  /** whether projects pay here by Stripe; otherwise whoever runs Parley sets plans */
  sells: z.boolean(),
  /** a stand-in takes Stripe's place: nobody is charged */
  sandbox: z.boolean(),
  /** of a first subscription */
  trial_days: z.int(),
  subscription: stateSchema.nullable(),
})

const project = { params: z.strictObject({ pgid: gid }) }
const path = (rest: string) => `/api/projects/:pgid/billing/${rest}` as const
/** Calls that change something at Stripe. */
const limit = { by: 'user', most: 30, name: 'billing' } as const
/** Calls that only ask Stripe: who looks at screens, and at what changes would cost, is not refused to pay for it. */
const looks = { by: 'user', most: 60, name: 'billing-looks' } as const

/** What of a subscription is changed. */
const change = z.strictObject({
  plan_id: z.enum(['starter', 'growth', 'business']).optional(),
  interval: interval.optional(),
  addons: addons.optional(),
})

export const readSubscription = defineRoute({
  method: 'GET',
  path: path('subscription'),
  access: { feature: 'billing.subscription' },
  ...project,
  answer: viewSchema,
})

/** Reads it at Stripe, where somebody doubts what is shown, or comes back from paying. */
export const refreshSubscription = defineRoute({
  method: 'POST',
  path: path('refresh'),
  access: { feature: 'billing.subscription' },
  ...project,
  answer: viewSchema,
  limit: looks,
})

export const startCheckout = defineRoute({
  method: 'POST',
  path: path('checkout'),
  access: { feature: 'billing.checkout' },
  ...project,
  body: z.strictObject({ plan_id: z.enum(['starter', 'growth', 'business']), interval, addons: addons.optional() }),
  answer: z.strictObject({ url: z.string() }),
  limit,
})

/** Stripe's page for the card, the address, the tax id, and invoices. */
export const openPortal = defineRoute({
  method: 'POST',
  path: path('portal'),
  access: { feature: 'billing.subscription' },
  ...project,
  answer: z.strictObject({ url: z.string() }),
  limit,
})

export const previewChange = defineRoute({
  method: 'POST',
  path: path('preview'),
  access: { feature: 'billing.checkout' },
  ...project,
  body: change,
  answer: z.strictObject({
    when: z.enum(['now', 'later']),
    after: z.strictObject(paid),
    /** charged at once */
    due: cents,
    /** kept for the next invoices */
    credit: cents,
    lines: z.array(z.strictObject({ text: z.string(), cents })),
    /** between the lines and what is charged: what codes take off, taxes, and what the customer has left or owes */
    discount: cents,
    tax: cents,
    balance: cents,
    /** each period from then on */
    next: z.strictObject({ cents, at: z.string() }),
    currency: z.string(),
    /** what can only be read then, by name, as far as the caller may see it */
    over: readOnlySchema,
    at: z.int(),
    seen: z.string(),
  }),
  limit: looks,
})
export type ChangePreview = z.infer<typeof previewChange.answer>

export const changeSubscription = defineRoute({
  method: 'POST',
  path: path('change'),
  access: { feature: 'billing.checkout' },
  ...project,
  body: change.extend({ at: z.int().min(0).max(4e9), seen: z.string().max(100) }),
  answer: viewSchema,
  limit,
})

/** Undoes what is planned for the period's end. */
export const keepSubscription = defineRoute({
  method: 'POST',
  path: path('keep'),
  access: { feature: 'billing.checkout' },
  ...project,
  answer: viewSchema,
  limit,
})

export const cancelSubscription = defineRoute({
  method: 'POST',
  path: path('cancel'),
  access: { feature: 'billing.cancel' },
  ...project,
  answer: viewSchema,
  limit,
})

export const resumeSubscription = defineRoute({
  method: 'POST',
  path: path('resume'),
  access: { feature: 'billing.cancel' },
  ...project,
  answer: viewSchema,
  limit,
})

const overageView = z.strictObject({
  /** whether it can be allowed: the project pays by the month */
  possible: z.boolean(),
  /** what is allowed a month, in whole cents; null: nothing */
  cap_cents: z.int().nullable(),
  /** of one credit */
  cents_each: cents,
  currency: z.string(),
  /** credits beyond the plan that may be used this month (UTC), and that were, with what they cost so far */
  credits: z.int(),
  used: z.number(),
  cents,
})
export type OverageView = z.infer<typeof overageView>

/** The most that can be allowed a month, in whole cents. */
export const MOST_OVERAGE = 10_000_000

/** AI message credits beyond the plan. */
export const readOverage = defineRoute({
  method: 'GET',
  path: path('overage'),
  access: { feature: 'billing.usage' },
  ...project,
  answer: overageView,
})

export const allowOverage = defineRoute({
  method: 'POST',
  path: path('overage'),
  access: { feature: 'billing.checkout' },
  ...project,
  body: z.strictObject({
    /** null: nothing beyond the plan */
    cap_cents: z
      .int('Enter whole cents')
      .min(100, 'Enter 1 or more')
      .max(MOST_OVERAGE, 'Enter 100,000 or less')
      .nullable(),
  }),
  answer: overageView,
  limit,
})

const invoiceSchema = z.strictObject({
  id: z.string(),
  number: z.string().nullable(),
  created_at: z.string(),
  status: z.enum(['open', 'paid', 'uncollectible', 'void']),
  cents,
  /** of it, what was given back after it was paid */
  refunded: cents,
  currency: z.string(),
  url: z.string().nullable(),
  pdf: z.string().nullable(),
})
export type InvoiceView = z.infer<typeof invoiceSchema>

/** The latest 100, newest first. */
export const listInvoices = defineRoute({
  method: 'GET',
  path: path('invoices'),
  access: { feature: 'billing.invoices' },
  ...project,
  answer: z.strictObject({ invoices: z.array(invoiceSchema) }),
  limit: looks,
})

/** What Stripe tells: any event, of which only the customer counts. */
export const receiveStripe = defineRoute({
  method: 'POST',
  path: '/api/billing/stripe',
  access: { signature: { header: 'stripe-signature', within: 300 } },
  body: z.looseObject({
    id: z.string().min(1).max(255),
    type: z.string().min(1).max(200),
    data: z.looseObject({ object: z.looseObject({}) }),
  }),
  answer: ok,
})
