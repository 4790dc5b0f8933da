import { type InvoiceRules, makeInvoice, prorate, unbilledOf, usageLine } from './invoices'
import { presentSchedule, presentSubscription } from './present'
import { presentInvoice } from './presentInvoice'
import {
  type Customer,
  DAY,
  dueOf,
  type Invoice,
  type Item,
  isLive,
  makeId,
  type Price,
  type Promotion,
  periodAfter,
  type Schedule,
  type StripeState,
  type Subscription,
} from './state'

export interface Wanted {
  price: Price
  quantity: number
}
/** How long a change waits for its payment, and a first payment. */
const PENDING = 23 * 3_600
/** A renewal that fails is tried again after so many days; after the last one the subscription ends. */
const RETRIES = [3, 5, 7]

/** What becomes of subscriptions: what people do with them, and what time does. */
export class Subscriptions {
  readonly #rules: InvoiceRules

  constructor(
    readonly state: StripeState,
    readonly tell: (type: string, object: unknown) => void,
  ) {
    this.#rules = { state, tell: (type, invoice) => tell(type, presentInvoice(invoice, state.origin())) }
  }

  told(type: string, subscription: Subscription): void {
    this.tell(`customer.subscription.${type}`, presentSubscription(subscription, this.state.origin()))
  }

  /** @param authenticated whether the bank has been told yes on the spot @returns undefined: the card is refused */
  begin(
    customer: Customer,
    wanted: readonly Wanted[],
    more: { metadata: Record<string, string>; trialDays: number; promotion: Promotion | null },
  ): Subscription | undefined {
    const { state } = this
    if (customer.card === 'declined') return undefined
    const now = state.now()
    const [first] = wanted
    if (!first) return undefined
    const trialEnd = more.trialDays > 0 ? now + more.trialDays * DAY : null
    const subscription: Subscription = {
      ...{ id: makeId(state, 'sub'), customer, items: this.#items(wanted), status: trialEnd ? 'trialing' : 'active' },
      ...{ metadata: more.metadata, created: now, periodStart: now, trialEnd, promotion: more.promotion },
      periodEnd: trialEnd ?? periodAfter(now, first.price.interval),
      ...{ cancelsAtEnd: false, canceledAt: null, endedAt: null, cancelReason: null, latestInvoice: null },
      ...{ schedule: null, pending: null },
    }
    state.subscriptions.push(subscription)
    this.told('created', subscription)
    this.#bill(subscription, 'subscription_create')
    return subscription
  }

  /** Changes the items at once; what that costs is an invoice, and the change waits until it is paid. */
  change(subscription: Subscription, items: Item[], at: number): void {
    const { state } = this
    const change = prorate(state, subscription, items, at)
    if (change.lines.length === 0) {
      // what is counted costs nothing before it is used
      subscription.items = items
      this.told('updated', subscription)
      return
    }
    for (const item of subscription.items)
      if (!items.some(({ id }) => id === item.id)) this.#noteBilled(subscription, item)
    const invoice = makeInvoice(this.#rules, subscription, 'subscription_update', change.lines, at)
    subscription.latestInvoice = invoice
    const { start, end } = change
    subscription.pending = { items, expires: state.now() + PENDING, invoice, start, end }
    if (this.#charge(invoice)) this.#settle(subscription)
    else this.told('updated', subscription)
  }

  cancelAtEnd(subscription: Subscription, cancels: boolean): void {
    if (subscription.cancelsAtEnd === cancels) return
    subscription.cancelsAtEnd = cancels
    subscription.canceledAt = cancels ? this.state.now() : null
    subscription.cancelReason = cancels ? 'cancellation_requested' : null
    this.told('updated', subscription)
  }

  end(subscription: Subscription, reason: Subscription['cancelReason']): void {
    const now = this.state.now()
    if (subscription.schedule) this.endSchedule(subscription.schedule, 'canceled')
    subscription.status = 'canceled'
    subscription.endedAt = now
    subscription.canceledAt ??= now
    subscription.cancelReason ??= reason
    for (const invoice of this.state.invoices)
      if (invoice.subscription === subscription && invoice.status === 'open') invoice.nextAttempt = null
    this.told('deleted', subscription)
  }

  schedule(subscription: Subscription): Schedule {
    const { items, periodStart, periodEnd } = subscription
    const present = items.map(({ price, quantity }) => ({ price, quantity }))
    const phases = [{ start: periodStart, end: periodEnd, items: present, metadata: {} }]
    const made = { id: makeId(this.state, 'sub_sched'), created: this.state.now(), releasedAt: null }
    const schedule: Schedule = { ...made, subscription, phases, status: 'active' }
    subscription.schedule = schedule
    this.state.schedules.push(schedule)
    this.tell('subscription_schedule.created', presentSchedule(schedule))
    this.told('updated', subscription)
    return schedule
  }

  endSchedule(schedule: Schedule, status: 'released' | 'completed' | 'canceled'): void {
    const { subscription } = schedule
    schedule.status = status
    schedule.releasedAt = status === 'released' ? this.state.now() : null
    subscription.schedule = null
    this.tell(`subscription_schedule.${status}`, presentSchedule(schedule))
    this.told('updated', subscription)
  }

  /** Pays an open invoice, as its page and the portal do. @returns whether it is paid */
  pay(invoice: Invoice, isAuthenticated = false): boolean {
    if (invoice.status !== 'open') return invoice.status === 'paid'
    if (!this.#charge(invoice, isAuthenticated)) return false
    const { subscription } = invoice
    if (subscription.pending?.invoice === invoice) this.#settle(subscription)
    else if (subscription.status === 'past_due') {
      subscription.status = 'active'
      this.told('updated', subscription)
    }
    return true
  }

  /**
   * Gives back some of what was paid for an invoice, as who runs the account does with a credit note: to the card, or
   * to the customer's balance, which the next invoices use up. @returns whether there was so much to give back
   */
  refund(invoice: Invoice, cents: number, to: 'card' | 'balance'): boolean {
    if (invoice.status !== 'paid' || cents <= 0 || invoice.refunded + cents > dueOf(invoice)) return false
    invoice.refunded += cents
    const { customer } = invoice
    if (to === 'balance') customer.balance -= cents
    this.tell('credit_note.created', {
      ...{ id: makeId(this.state, 'cn'), object: 'credit_note', customer: customer.id, invoice: invoice.id },
      ...{ amount: cents, currency: 'usd', status: 'issued', type: 'post_payment' },
    })
    return true
  }

  /** When the next thing happens by itself; null: nothing will. */
  nextDue(): number | null {
    const times = this.state.subscriptions
      .filter(isLive)
      .flatMap((subscription) => [
        subscription.periodEnd,
        ...(subscription.pending ? [subscription.pending.expires] : []),
        ...(subscription.latestInvoice?.nextAttempt ? [subscription.latestInvoice.nextAttempt] : []),
      ])
    return times.length > 0 ? Math.min(...times) : null
  }

  /** Does what is due by now. */
  doDue(): void {
    const now = this.state.now()
    for (const subscription of this.state.subscriptions.filter(isLive)) {
      const { pending, latestInvoice } = subscription
      if (pending && pending.expires <= now) this.#expire(subscription)
      if (latestInvoice?.nextAttempt && latestInvoice.nextAttempt <= now) this.#retry(latestInvoice)
      if (isLive(subscription) && subscription.periodEnd <= now) this.#renew(subscription)
    }
  }

  #items = (wanted: readonly Wanted[]): Item[] =>
    wanted.map(({ price, quantity }) => ({ id: makeId(this.state, 'si'), price, quantity, created: this.state.now() }))

  /** The invoice of a whole period. */
  #bill(subscription: Subscription, reason: 'subscription_create' | 'subscription_cycle'): boolean {
    const { state } = this
    const isTrial = subscription.status === 'trialing'
    const { periodStart: start, periodEnd: end } = subscription
    const isRenewal = reason === 'subscription_cycle'
    const used = isRenewal ? subscription.items.flatMap((item) => usageLine(state, subscription, item)) : []
    if (isRenewal) for (const item of subscription.items) this.#noteBilled(subscription, item)
    const bought = subscription.items.filter(({ price }) => price.meter === null)
    const ofPeriod = bought.map((item) => ({
      ...{ id: makeId(state, 'il'), price: item.price, quantity: item.quantity, start, end, itemId: item.id },
      amount: isTrial ? 0 : item.price.amount * item.quantity,
      description: `${item.quantity} × ${item.price.product.name}${isTrial ? ' (trial)' : ''}`,
      isProration: false,
    }))
    const invoice = makeInvoice(this.#rules, subscription, reason, [...ofPeriod, ...used], null)
    subscription.latestInvoice = invoice
    // whoever begins has been asked by the bank on the page
    return this.#charge(invoice, reason === 'subscription_create')
  }

  #noteBilled(subscription: Subscription, item: Item): void {
    for (const use of unbilledOf(this.state, subscription, item)) use.isBilled = true
  }

  /** The last uses of one that ends are charged all the same. */
  #billUses(subscription: Subscription): void {
    const lines = subscription.items.flatMap((item) => usageLine(this.state, subscription, item))
    if (lines.length === 0) return
    for (const item of subscription.items) this.#noteBilled(subscription, item)
    subscription.latestInvoice = makeInvoice(this.#rules, subscription, 'subscription_cycle', lines, null)
    this.#charge(subscription.latestInvoice)
  }

  #charge(invoice: Invoice, isAuthenticated = false): boolean {
    const { card } = invoice.customer
    const due = Math.max(
      0,
      invoice.balanceBefore + invoice.lines.reduce((sum, { amount }) => sum + amount, 0) - invoice.discount,
    )
    const isCharged = due > 0
    if (isCharged) invoice.attempts += 1
    const isFirst = invoice.reason === 'subscription_create'
    invoice.needsAuthentication = isCharged && card === 'authentication' && !isAuthenticated
    const works =
      card === 'works' || (card === 'authentication' && isAuthenticated) || (card === 'fails_later' && isFirst)
    if (isCharged && !works) {
      this.#rules.tell('invoice.payment_failed', invoice)
      if (invoice.needsAuthentication) this.#rules.tell('invoice.payment_action_required', invoice)
      return false
    }
    Object.assign(invoice, { status: 'paid', paidAt: this.state.now(), nextAttempt: null, needsAuthentication: false })
    invoice.customer.balance = invoice.balanceAfter
    this.#rules.tell('invoice.paid', invoice)
    return true
  }

  #settle(subscription: Subscription): void {
    const { pending } = subscription
    if (!pending) return
    const { items, start, end } = pending
    Object.assign(subscription, { items, periodStart: start, periodEnd: end, pending: null })
    this.told('updated', subscription)
  }

  #expire(subscription: Subscription): void {
    const { pending } = subscription
    if (!pending) return
    subscription.pending = null
    pending.invoice.status = 'void'
    this.#rules.tell('invoice.voided', pending.invoice)
    this.told('pending_update_expired', subscription)
  }

  #retry(invoice: Invoice): void {
    if (this.pay(invoice)) return
    const days = RETRIES[invoice.attempts - 1]
    invoice.nextAttempt = days === undefined ? null : this.state.now() + days * DAY
    if (days === undefined) this.end(invoice.subscription, 'payment_failed')
  }

  #renew(subscription: Subscription): void {
    if (subscription.cancelsAtEnd) {
      this.#billUses(subscription)
      this.end(subscription, 'cancellation_requested')
      return
    }
    const { schedule } = subscription
    const next = schedule?.phases[1]
    if (next) subscription.items = this.#items(next.items)
    const wasTrial = subscription.status === 'trialing'
    subscription.status = wasTrial ? 'active' : subscription.status
    subscription.periodStart = subscription.periodEnd
    subscription.periodEnd = periodAfter(subscription.periodStart, subscription.items[0]?.price.interval ?? 'month')
    if (schedule && next) this.endSchedule(schedule, 'released')
    if (!this.#bill(subscription, 'subscription_cycle')) {
      subscription.status = 'past_due'
      const { latestInvoice } = subscription
      if (latestInvoice) latestInvoice.nextAttempt = this.state.now() + (RETRIES[0] ?? 3) * DAY
    }
    this.told('updated', subscription)
  }
}
