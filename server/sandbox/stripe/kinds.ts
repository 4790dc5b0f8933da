import type { RecordKind } from '../pages/records'
import { cards, isCard } from './cards'
import { missing, refuseStripe } from './errors'
import { writeDay, writeMoney } from './money'
import { dueOf, isLive, type Promotion, type StripeState } from './state'
import type { Subscriptions } from './subscriptions'

const column = (name: string, label: string) => ({ name, label, isFixed: true })

/** @returns what a person sees of Stripe: subscriptions, whose time can be moved on, customers, invoices and so on */
export function stripeKinds(
  state: StripeState,
  subscriptions: Subscriptions,
  addPromotion: (code: string, percent: number) => Promotion,
): RecordKind[] {
  const subscriptionOf = (id: string) => {
    const found = state.subscriptions.find((one) => one.id === id)
    if (!found) throw missing('subscription', id)
    return found
  }
  return [
    {
      key: 'subscriptions',
      title: 'Subscriptions',
      columns: [
        column('customer', 'Customer'),
        column('items', 'What'),
        column('status', 'Status'),
        column('until', 'Period until'),
      ],
      empty: 'Nobody has subscribed yet.',
      rows: () =>
        state.subscriptions.map((one) => ({
          id: one.id,
          values: {
            customer: one.customer.name ?? one.customer.id,
            items: one.items.map(({ price, quantity }) => `${quantity} × ${price.product.name}`).join(', '),
            status: one.cancelsAtEnd && isLive(one) ? `${one.status}, cancels` : one.status,
            until: writeDay(one.periodEnd),
          },
        })),
      actions: [
        {
          name: 'on',
          label: 'Move time to the next period',
          run: (id) => state.pass(Math.max(0, subscriptionOf(id).periodEnd - state.now())),
        },
        { name: 'week', label: 'Move time on by a week', run: () => state.pass(7 * 86_400) },
      ],
    },
    {
      key: 'customers',
      title: 'Customers',
      columns: [
        column('name', 'Name'),
        column('email', 'Email'),
        { name: 'card', label: 'Card', options: Object.keys(cards) },
        column('tax', 'Tax id'),
        column('balance', 'Balance'),
      ],
      empty: 'There are no customers yet.',
      rows: () =>
        state.customers.map(({ id, name, email, card, taxId, balance }) => ({
          id,
          values: {
            ...{ name: name ?? '', email: email ?? '', card: card ?? '', tax: taxId ?? '' },
            balance: writeMoney(balance, 'usd'),
          },
        })),
      change(id, { card }) {
        const customer = state.customers.find((one) => one.id === id)
        if (!customer) throw missing('customer', id)
        if (isCard(card)) customer.card = card
      },
    },
    {
      key: 'invoices',
      title: 'Invoices',
      columns: [
        column('number', 'Number'),
        column('customer', 'Customer'),
        column('due', 'Amount'),
        column('status', 'Status'),
      ],
      empty: 'There are no invoices yet.',
      rows: () =>
        state.invoices.map((invoice) => ({
          id: invoice.id,
          values: {
            ...{ number: invoice.number ?? '', customer: invoice.customer.name ?? '', status: invoice.status },
            due: writeMoney(dueOf(invoice), invoice.lines[0]?.price.currency ?? 'usd'),
          },
        })),
      actions: [
        {
          name: 'pay',
          label: 'Pay it',
          run(id) {
            const invoice = state.invoices.find((one) => one.id === id)
            if (invoice && !subscriptions.pay(invoice, true)) throw refuseStripe('The card is declined.')
          },
        },
      ],
    },
    {
      key: 'usage',
      title: 'Metered usage',
      columns: [
        column('customer', 'Customer'),
        column('meter', 'Meter'),
        column('value', 'Used'),
        column('on', 'Invoiced'),
      ],
      empty: 'Nothing was counted yet: an owner allows it on the screen Usage.',
      rows: () =>
        state.meterEvents.map(({ id, customer, meter, value, isBilled }) => ({
          id,
          values: {
            ...{ customer: customer.name ?? customer.id, meter: meter.name, value: String(value) },
            on: isBilled ? 'yes' : 'with the next invoice',
          },
        })),
    },
    {
      key: 'codes',
      title: 'Promotion codes',
      columns: [
        { name: 'code', label: 'Code' },
        { name: 'percent', label: 'Per cent off' },
      ],
      empty: 'There are no codes yet.',
      rows: () => state.promotions.map(({ id, code, percent }) => ({ id, values: { code, percent: String(percent) } })),
      add({ code = '', percent = '' }) {
        const off = Number(percent)
        if (!/^[A-Za-z0-9-]{1,40}$/.test(code) || !(off > 0 && off <= 100))
          throw refuseStripe('Give a code of letters and digits, and 1 to 100 per cent.')
        addPromotion(code.toUpperCase(), off)
      },
    },
    {
      key: 'prices',
      title: 'Prices',
      columns: [
        column('product', 'Product'),
        column('amount', 'Amount'),
        column('per', 'Per'),
        column('key', 'Lookup key'),
      ],
      empty: 'There are no prices: Parley makes them with “npx parley billing sync-prices”.',
      rows: () =>
        state.prices.map(({ id, product, amount, currency, interval, lookupKey }) => ({
          id,
          values: { product: product.name, amount: writeMoney(amount, currency), per: interval, key: lookupKey ?? '' },
        })),
    },
  ]
}
