import { dueOf, type Invoice, type Line, totalOf } from './state'

const presentLine = (line: Line, invoice: Invoice) => ({
  ...{ id: line.id, object: 'line_item', amount: line.amount, subtotal: line.amount, currency: line.price.currency },
  ...{ description: line.description, quantity: line.quantity, quantity_decimal: String(line.quantity) },
  period: { start: line.start, end: line.end },
  ...{ invoice: invoice.id, subscription: invoice.subscription.id, livemode: false, metadata: {} },
  parent: {
    type: 'subscription_item_details',
    invoice_item_details: null,
    subscription_item_details: {
      ...{ invoice_item: null, proration: line.isProration, proration_details: { credited_items: null } },
      ...{ subscription: invoice.subscription.id, subscription_item: line.itemId },
    },
  },
  pricing: {
    type: 'price_details',
    unit_amount_decimal: String(line.price.amount),
    price_details: { price: line.price.id, product: line.price.product.id },
  },
  ...{ discount_amounts: [], discountable: !line.isProration, discounts: [], pretax_credit_amounts: [], taxes: [] },
})

/** What Stripe answers of an invoice, a preview's included. */
export function presentInvoice(invoice: Invoice, origin: string) {
  const { id, customer, subscription, status, created } = invoice
  const subtotal = invoice.lines.reduce((sum, { amount }) => sum + amount, 0)
  const due = dueOf(invoice)
  const isFinal = status !== 'draft'
  const page = isFinal ? `${origin}/invoices/${id}` : null
  return {
    ...{ id, object: 'invoice', status, customer: customer.id, created, livemode: false, number: invoice.number },
    ...{ amount_due: due, amount_paid: status === 'paid' ? due : 0, amount_remaining: status === 'paid' ? 0 : due },
    ...{ amount_overpaid: 0, amount_shipping: 0, subtotal, subtotal_excluding_tax: subtotal },
    ...{ total: totalOf(invoice), total_excluding_tax: totalOf(invoice), total_taxes: [] },
    total_discount_amounts: invoice.discount > 0 ? [{ amount: invoice.discount, discount: `di_${id.slice(3)}` }] : [],
    ...{ currency: invoice.lines[0]?.price.currency ?? 'usd', billing_reason: invoice.reason },
    ...{ starting_balance: invoice.balanceBefore, ending_balance: isFinal ? invoice.balanceAfter : null },
    ...{ attempt_count: invoice.attempts, attempted: invoice.attempts > 0, auto_advance: status === 'open' },
    next_payment_attempt: invoice.nextAttempt,
    ...{ hosted_invoice_url: page, invoice_pdf: page && `${page}/pdf` },
    ...{ period_start: subscription.periodStart, period_end: subscription.periodEnd },
    lines: {
      ...{ object: 'list', has_more: false, url: `/v1/invoices/${id}/lines` },
      data: invoice.lines.map((line) => presentLine(line, invoice)),
    },
    parent: {
      type: 'subscription_details',
      quote_details: null,
      subscription_details: {
        ...{ subscription: subscription.id, metadata: subscription.metadata },
        ...(invoice.prorationDate !== null && { subscription_proration_date: invoice.prorationDate }),
      },
    },
    status_transitions: {
      ...{ finalized_at: isFinal ? created : null, paid_at: invoice.paidAt },
      ...{ marked_uncollectible_at: null, voided_at: null },
    },
    ...{ effective_at: isFinal ? created : null, customer_email: customer.email, customer_name: customer.name },
    automatic_tax: { enabled: false, liability: null, status: null, disabled_reason: null, provider: null },
    payment_settings: { default_mandate: null, payment_method_options: null, payment_method_types: null },
    issuer: { type: 'self' },
    ...{ account_country: 'US', account_name: 'Parley (sandbox)', account_tax_ids: null, application: null },
    ...{ automatically_finalizes_at: null, collection_method: 'charge_automatically', custom_fields: null },
    ...{ customer_account: null, customer_address: null, customer_phone: null, customer_shipping: null },
    ...{ customer_tax_exempt: 'none', default_payment_method: null, default_source: null, default_tax_rates: [] },
    ...{ description: null, discounts: [], due_date: null, footer: null, from_invoice: null },
    ...{ last_finalization_error: null, latest_revision: null, metadata: {}, on_behalf_of: null },
    ...{ post_payment_credit_notes_amount: invoice.refunded, pre_payment_credit_notes_amount: 0, receipt_number: null },
    ...{ rendering: null, shipping_cost: null, shipping_details: null, statement_descriptor: null, test_clock: null },
    ...{ total_pretax_credit_amounts: [], webhooks_delivered_at: null },
  }
}
