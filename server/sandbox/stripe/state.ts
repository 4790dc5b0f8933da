import type { SeededRandom } from '../seededRandom'
import type { WebhookSender } from '../webhooks'

export type Interval = 'month' | 'year'
export type Metadata = Record<string, string>

export interface Product {
  id: string
  name: string
  active: boolean
  metadata: Metadata
  created: number
}

/** What counts uses, which are charged by their number. */
export interface Meter {
  id: string
  name: string
  eventName: string
  created: number
}

export interface MeterEvent {
  id: string
  identifier: string
  meter: Meter
  customer: Customer
  value: number
  at: number
  /** on an invoice already */
  isBilled: boolean
}

export interface Price {
  id: string
  product: Product
  /** in the smallest unit of the currency */
  amount: number
  currency: string
  interval: Interval
  /** null: charged by its quantity */
  meter: Meter | null
  lookupKey: string | null
  active: boolean
  metadata: Metadata
  created: number
}

/** A discount, and the code by which people get it. */
export interface Promotion {
  id: string
  couponId: string
  code: string
  percent: number
  /** `once`: of the first invoice alone */
  duration: 'once' | 'forever'
  active: boolean
  created: number
}

/** What a card does; no number is ever asked for. */
export type Card = 'works' | 'declined' | 'authentication' | 'fails_later'

export interface Customer {
  id: string
  name: string | null
  email: string | null
  metadata: Metadata
  /** below 0: what the next invoices are paid with first */
  balance: number
  card: Card | null
  taxId: string | null
  isDeleted: boolean
  created: number
}

export interface Item {
  id: string
  price: Price
  quantity: number
  created: number
}

export type SubscriptionStatus = 'incomplete' | 'incomplete_expired' | 'trialing' | 'active' | 'past_due' | 'canceled'

export interface Subscription {
  id: string
  customer: Customer
  items: Item[]
  status: SubscriptionStatus
  metadata: Metadata
  /** in seconds, as all times here */
  created: number
  periodStart: number
  periodEnd: number
  trialEnd: number | null
  cancelsAtEnd: boolean
  canceledAt: number | null
  endedAt: number | null
  cancelReason: 'cancellation_requested' | 'payment_failed' | null
  promotion: Promotion | null
  latestInvoice: Invoice | null
  schedule: Schedule | null
  /** a change that waits until its invoice is paid */
  pending: { items: Item[]; expires: number; invoice: Invoice; start: number; end: number } | null
}

export interface Phase {
  start: number
  end: number
  items: { price: Price; quantity: number }[]
  metadata: Metadata
}

export interface Schedule {
  id: string
  subscription: Subscription
  phases: Phase[]
  status: 'active' | 'released' | 'completed' | 'canceled'
  created: number
  releasedAt: number | null
}

export interface Line {
  id: string
  description: string
  amount: number
  price: Price
  quantity: number
  start: number
  end: number
  isProration: boolean
  itemId: string
}

export interface Invoice {
  id: string
  number: string | null
  customer: Customer
  subscription: Subscription
  lines: Line[]
  discount: number
  reason: 'subscription_create' | 'subscription_cycle' | 'subscription_update' | 'upcoming'
  status: 'draft' | 'open' | 'paid' | 'void'
  /** the customer's balance before and after it */
  balanceBefore: number
  balanceAfter: number
  created: number
  paidAt: number | null
  attempts: number
  nextAttempt: number | null
  /** the bank asks the cardholder */
  needsAuthentication: boolean
  prorationDate: number | null
  /** given back by credit notes after it was paid */
  refunded: number
}

export interface CheckoutSession {
  id: string
  customer: Customer
  items: { price: Price; quantity: number }[]
  metadata: Metadata
  subscriptionMetadata: Metadata
  trialDays: number
  reference: string | null
  successUrl: string
  cancelUrl: string
  takesCodes: boolean
  takesTaxId: boolean
  status: 'open' | 'complete' | 'expired'
  promotion: Promotion | null
  subscription: Subscription | null
  created: number
  expires: number
}

export interface PortalSession {
  id: string
  customer: Customer
  returnUrl: string | null
  created: number
}

export interface StripeEvent {
  id: string
  type: string
  created: number
  object: unknown
}

/** What the stand-in of Stripe knows. */
export interface StripeState {
  key: string
  webhookSecret: string
  webhookUrls: string[]
  products: Product[]
  prices: Price[]
  meters: Meter[]
  meterEvents: MeterEvent[]
  promotions: Promotion[]
  customers: Customer[]
  sessions: CheckoutSession[]
  portals: PortalSession[]
  subscriptions: Subscription[]
  schedules: Schedule[]
  invoices: Invoice[]
  events: StripeEvent[]
  webhooks: WebhookSender
  random: SeededRandom
  /** seconds since 1970: the given clock's, and how far this account was moved on */
  now: () => number
  /** moves this account's time on; what is due meanwhile happens */
  pass: (seconds: number) => void
  origin: () => string
}

/** @returns an id as Stripe writes it */
export const makeId = ({ random }: Pick<StripeState, 'random'>, prefix: string): string =>
  `${prefix}_${random.text(20)}`

/** The sum of an invoice's lines, less its discount. */
export const totalOf = ({ lines, discount }: Pick<Invoice, 'lines' | 'discount'>): number =>
  lines.reduce((sum, { amount }) => sum + amount, 0) - discount

/** What is left to pay after the customer's balance. */
export const dueOf = (invoice: Pick<Invoice, 'lines' | 'discount' | 'balanceBefore'>): number =>
  Math.max(0, totalOf(invoice) + invoice.balanceBefore)

/** Whether a subscription goes on. */
export const isLive = ({ status }: Subscription): boolean => status !== 'canceled' && status !== 'incomplete_expired'

const DAY = 86_400

/** The end of a period: the same day of the next month or year, or that month's last day. */
export function periodAfter(start: number, interval: Interval): number {
  const from = new Date(start * 1_000)
  const months = interval === 'year' ? 12 : 1
  const target = new Date(from)
  target.setUTCDate(1)
  target.setUTCMonth(target.getUTCMonth() + months)
  const lastDay = new Date(Date.UTC(target.getUTCFullYear(), target.getUTCMonth() + 1, 0)).getUTCDate()
  target.setUTCDate(Math.min(from.getUTCDate(), lastDay))
  return Math.floor(target.getTime() / 1_000)
}

export { DAY }
