import { type Invoice, type Item, type Line, makeId, periodAfter, type StripeState, type Subscription } from './state'

export interface InvoiceRules {
  state: StripeState
  tell: (type: string, invoice: Invoice) => void
}

/** @returns an invoice that is to be paid, after the customer's balance; kept and told */
export function makeInvoice(
  { state, tell }: InvoiceRules,
  subscription: Subscription,
  reason: Exclude<Invoice['reason'], 'upcoming'>,
  lines: Line[],
  prorationDate: number | null,
): Invoice {
  const invoice: Invoice = {
    ...draft(state, subscription, lines, reason, prorationDate),
    ...{ status: 'open', number: `SANDBOX-${String(state.invoices.length + 1).padStart(4, '0')}` },
  }
  if (subscription.promotion?.duration === 'once') subscription.promotion = null
  state.invoices.push(invoice)
  tell('invoice.created', invoice)
  tell('invoice.finalized', invoice)
  return invoice
}

/** An invoice that is not kept: what a change would cost. */
export function draft(
  state: StripeState,
  subscription: Subscription,
  lines: Line[],
  reason: Invoice['reason'],
  prorationDate: number | null,
): Invoice {
  const { customer, promotion } = subscription
  // what is given back for a change was discounted when it was paid; a change's own lines are reduced alike
  const subtotal = lines.reduce((sum, { amount }) => sum + amount, 0)
  const discount = promotion && subtotal > 0 ? Math.round((subtotal * promotion.percent) / 100) : 0
  const after = customer.balance + subtotal - discount
  return {
    ...{ id: makeId(state, 'in'), number: null, customer, subscription, lines, discount, reason, status: 'draft' },
    ...{ balanceBefore: customer.balance, balanceAfter: Math.min(0, after), created: state.now(), paidAt: null },
    ...{ attempts: 0, nextAttempt: null, needsAuthentication: false, prorationDate },
    refunded: 0,
  }
}

/** Uses of a customer that are on no invoice yet. */
export const unbilledOf = ({ meterEvents }: StripeState, { customer }: Subscription, { price: { meter } }: Item) =>
  meterEvents.filter(
    (event) => meter !== null && event.meter === meter && event.customer === customer && !event.isBilled,
  )

/** What an item costs by its uses; nothing for one that is charged by its quantity, and without uses. */
export function usageLine(state: StripeState, subscription: Subscription, item: Item): Line[] {
  const uses = unbilledOf(state, subscription, item)
  const quantity = uses.reduce((sum, { value }) => sum + value, 0)
  if (quantity === 0) return []
  const { price, id: itemId } = item
  const start = Math.min(...uses.map(({ at }) => at))
  return [
    {
      ...{ id: makeId(state, 'il'), price, quantity, amount: price.amount * quantity, isProration: false, itemId },
      ...{ description: `${quantity} × ${price.product.name}`, start, end: state.now() },
    },
  ]
}

/**
 * What a change of items costs: unused time is given back, the rest of the period is charged. Another interval begins a
 * period of its own.
 */
export function prorate(state: StripeState, subscription: Subscription, items: readonly Item[], at: number) {
  const { periodStart, periodEnd } = subscription
  const isTrial = subscription.status === 'trialing'
  const interval = items[0]?.price.interval ?? 'month'
  const isOther = interval !== subscription.items[0]?.price.interval
  const share = Math.min(1, Math.max(0, (periodEnd - at) / (periodEnd - periodStart)))
  const begins = isOther && !isTrial
  const end = begins ? periodAfter(at, interval) : periodEnd
  const line = (item: Item, amount: number, text: string, until: number): Line => ({
    ...{ id: makeId(state, 'il'), price: item.price, quantity: item.quantity, amount, isProration: true },
    ...{ description: `${text} ${item.quantity} × ${item.price.product.name}`, start: at, end: until, itemId: item.id },
  })
  const same = (one: Item, other: Item) => one.price === other.price && one.quantity === other.quantity
  const changed = (all: readonly Item[], others: readonly Item[]) =>
    (begins ? all : all.filter((item) => !others.some((other) => same(item, other)))).filter(
      ({ price }) => price.meter === null,
    )
  const cost = ({ price, quantity }: Item, part: number) => (isTrial ? 0 : Math.round(price.amount * quantity * part))
  const gone = subscription.items.filter(({ id }) => !items.some((item) => item.id === id))
  const lines = [
    // what was counted is charged when nothing is counted any more
    ...gone.flatMap((item) => usageLine(state, subscription, item)),
    ...changed(subscription.items, items).map((item) => line(item, -cost(item, share), 'Unused time on', periodEnd)),
    ...changed(items, subscription.items).map((item) =>
      line(item, cost(item, begins ? 1 : share), begins ? 'New period of' : 'Remaining time on', end),
    ),
  ]
  return { lines, start: begins ? at : periodStart, end }
}
