import { presentInvoice } from './presentInvoice'
import type {
  CheckoutSession,
  Customer,
  Item,
  Meter,
  MeterEvent,
  PortalSession,
  Price,
  Product,
  Promotion,
  Schedule,
  Subscription,
} from './state'

/** What Stripe answers of an object. Fields that Parley never uses are there all the same, as Stripe leaves them. */
const common = { livemode: false }
export const listOf = (url: string, data: readonly unknown[], has_more = false) => ({
  object: 'list',
  data,
  has_more,
  url,
})

export const presentProduct = ({ id, name, active, metadata, created }: Product) => ({
  ...common,
  ...{ id, object: 'product', name, active, metadata, created, updated: created, type: 'service' },
  ...{ description: null, images: [], marketing_features: [], package_dimensions: null, shippable: null },
  ...{ tax_details: null, url: null, default_price: null },
})

export const presentPrice = (price: Price) => ({
  ...common,
  ...{ id: price.id, object: 'price', active: price.active, created: price.created, currency: price.currency },
  ...{ product: price.product.id, unit_amount: price.amount, unit_amount_decimal: String(price.amount) },
  ...{ lookup_key: price.lookupKey, metadata: price.metadata, nickname: null, type: 'recurring' },
  recurring: { ...{ interval: price.interval, interval_count: 1, ...countedBy(price) }, ...noTrial },
  ...{ billing_scheme: 'per_unit', custom_unit_amount: null, tax_behavior: 'unspecified' },
  ...{ tiers_mode: null, transform_quantity: null },
})
const noTrial = { trial_period_days: null }
const countedBy = ({ meter }: Price) => ({ meter: meter?.id ?? null, usage_type: meter ? 'metered' : 'licensed' })

/** The older form of a price, which items still carry. */
const presentPlan = (price: Price) => ({
  ...common,
  ...{ id: price.id, object: 'plan', active: price.active, amount: price.amount, amount_decimal: String(price.amount) },
  ...{ billing_scheme: 'per_unit', created: price.created, currency: price.currency, interval: price.interval },
  ...{ interval_count: 1, metadata: price.metadata, nickname: null, product: price.product.id },
  ...{ tiers_mode: null, transform_usage: null, ...countedBy(price), ...noTrial },
})

export const presentMeter = ({ id, name, eventName, created }: Meter) => ({
  ...common,
  ...{ id, object: 'billing.meter', display_name: name, event_name: eventName, status: 'active' },
  ...{ created, updated: created, status_transitions: { deactivated_at: null }, event_time_window: null },
  ...{ default_aggregation: { formula: 'sum' }, value_settings: { event_payload_key: 'value' } },
  customer_mapping: { type: 'by_id', event_payload_key: 'stripe_customer_id' },
})

export const presentMeterEvent = ({ identifier, meter, customer, value, at }: MeterEvent) => ({
  ...common,
  ...{ object: 'billing.meter_event', identifier, event_name: meter.eventName, created: at, timestamp: at },
  payload: { stripe_customer_id: customer.id, value: String(value) },
})

export const presentCustomer = (customer: Customer) =>
  customer.isDeleted
    ? { id: customer.id, object: 'customer', deleted: true }
    : {
        ...common,
        ...{ id: customer.id, object: 'customer', balance: customer.balance, created: customer.created },
        ...{ email: customer.email, name: customer.name, metadata: customer.metadata, description: null },
        ...{ default_source: null, shipping: null, delinquent: false, tax_exempt: 'none' },
        invoice_settings: {
          ...{ custom_fields: null, footer: null, rendering_options: null },
          default_payment_method: customer.card ? `pm_${customer.id.slice(4)}` : null,
        },
      }

export const presentPromotion = (promotion: Promotion) => ({
  ...common,
  ...{ id: promotion.id, object: 'promotion_code', active: promotion.active, code: promotion.code },
  ...{ created: promotion.created, customer: null, customer_account: null, expires_at: null, metadata: {} },
  ...{ max_redemptions: null, times_redeemed: 0, promotion: { type: 'coupon', coupon: promotion.couponId } },
  restrictions: { first_time_transaction: false, minimum_amount: null, minimum_amount_currency: null },
})

const presentItem = (item: Item, { id, periodStart, periodEnd }: Subscription) => ({
  ...{ id: item.id, object: 'subscription_item', created: item.created, metadata: {}, subscription: id },
  ...{ price: presentPrice(item.price), plan: presentPlan(item.price) },
  ...(item.price.meter === null && { quantity: item.quantity }),
  ...{ current_period_start: periodStart, current_period_end: periodEnd, current_trial: null },
  ...{ billing_thresholds: null, discounts: [], tax_rates: [] },
})

/** @param expand which of `latest_invoice` and `schedule` come whole */
export function presentSubscription(subscription: Subscription, origin: string, expand: readonly string[] = []) {
  const { id, schedule, latestInvoice, pending, promotion } = subscription
  const whole = (name: string) => expand.includes(name)
  return {
    ...common,
    ...{ id, object: 'subscription', status: subscription.status, customer: subscription.customer.id },
    ...{ created: subscription.created, start_date: subscription.created, metadata: subscription.metadata },
    ...{ cancel_at: subscription.cancelsAtEnd ? subscription.periodEnd : null },
    ...{ cancel_at_period_end: subscription.cancelsAtEnd, canceled_at: subscription.canceledAt },
    ...{ ended_at: subscription.endedAt, trial_end: subscription.trialEnd },
    trial_start: subscription.trialEnd === null ? null : subscription.created,
    cancellation_details: {
      ...{ comment: null, feedback: null, feedback_option: null, reason: subscription.cancelReason },
    },
    items: listOf(
      `/v1/subscription_items?subscription=${id}`,
      subscription.items.map((item) => presentItem(item, subscription)),
    ),
    latest_invoice:
      latestInvoice && (whole('latest_invoice') ? presentInvoice(latestInvoice, origin) : latestInvoice.id),
    schedule: schedule && (whole('schedule') ? presentSchedule(schedule) : schedule.id),
    discounts: promotion ? [`di_${id.slice(4)}`] : [],
    pending_update: pending && {
      ...{ billing_cycle_anchor: null, cancel_at_period_end: null, discount: null, discounts: null, metadata: null },
      ...{ expires_at: pending.expires, trial_end: null, trial_from_plan: null },
      subscription_items: pending.items.map((item) => presentItem(item, subscription)),
    },
    ...{ currency: subscription.items[0]?.price.currency ?? 'usd', collection_method: 'charge_automatically' },
    ...{ billing_cycle_anchor: subscription.periodStart, billing_cycle_anchor_config: null, billing_schedules: [] },
    billing_mode: { type: 'flexible', flexible: { proration_discounts: 'included' } },
    automatic_tax: { enabled: false, liability: null, disabled_reason: null },
    invoice_settings: { ...noTexts, issuer: { type: 'self' } },
    payment_settings: {
      ...{ payment_method_options: null, payment_method_types: null, save_default_payment_method: 'off' },
    },
    trial_settings: { end_behavior: { missing_payment_method: 'create_invoice', billing_cycle_anchor: null } },
    ...{ application: null, application_fee_percent: null, billing_thresholds: null, customer_account: null },
    ...{ days_until_due: null, default_payment_method: null, default_source: null, default_tax_rates: [] },
    ...{ description: null, managed_payments: null, next_pending_invoice_item_invoice: null, on_behalf_of: null },
    ...{ pause_collection: null, pending_invoice_item_interval: null, pending_setup_intent: null },
    ...{ test_clock: null, transfer_data: null },
  }
}
const noTexts = { account_tax_ids: null, custom_fields: null, description: null, footer: null }

export function presentSchedule(schedule: Schedule) {
  const { id, subscription, status, phases, created, releasedAt } = schedule
  const [first] = phases
  return {
    ...common,
    ...{ id, object: 'subscription_schedule', status, created, customer: subscription.customer.id, metadata: {} },
    subscription: status === 'active' ? subscription.id : null,
    released_subscription: status === 'released' ? subscription.id : null,
    ...{ released_at: releasedAt, end_behavior: 'release', canceled_at: null, completed_at: null },
    current_phase: status === 'active' && first ? { start_date: first.start, end_date: first.end } : null,
    phases: phases.map(({ start, end, items, metadata }) => ({
      ...{ start_date: start, end_date: end, proration_behavior: 'none', currency: items[0]?.price.currency ?? 'usd' },
      items: items.map(({ price, quantity }) => ({
        ...{ price: price.id, plan: price.id, quantity, metadata: {}, discounts: [], billing_thresholds: null },
      })),
      ...{ add_invoice_items: [], application_fee_percent: null, billing_cycle_anchor: null, billing_thresholds: null },
      ...{ collection_method: null, default_payment_method: null, description: null, discounts: [], metadata },
      ...{ invoice_settings: null, on_behalf_of: null, transfer_data: null, trial_end: null },
    })),
    default_settings: {
      ...{ application_fee_percent: null, billing_cycle_anchor: 'automatic', billing_thresholds: null },
      ...{ collection_method: 'charge_automatically', default_payment_method: null, description: null },
      invoice_settings: { ...noTexts, days_until_due: null, issuer: { type: 'self' } },
      ...{ on_behalf_of: null, transfer_data: null },
    },
    billing_mode: { type: 'flexible', flexible: { proration_discounts: 'included' } },
    ...{ application: null, customer_account: null, pause_schedules: [], test_clock: null },
  }
}

export function presentSession(session: CheckoutSession, origin: string) {
  const subtotal = session.items.reduce((sum, { price, quantity }) => sum + price.amount * quantity, 0)
  const isOpen = session.status === 'open'
  return {
    ...common,
    ...{ id: session.id, object: 'checkout.session', mode: 'subscription', status: session.status },
    ...{ created: session.created, expires_at: session.expires, currency: session.items[0]?.price.currency ?? null },
    url: isOpen ? `${origin}/pay/${session.id}` : null,
    ...{ success_url: session.successUrl, cancel_url: session.cancelUrl, client_reference_id: session.reference },
    ...{ customer: session.customer.id, metadata: session.metadata, amount_subtotal: subtotal, amount_total: subtotal },
    subscription: session.subscription?.id ?? null,
    invoice: session.subscription?.latestInvoice?.id ?? null,
    payment_status: isOpen ? 'unpaid' : 'paid',
    ...{
      allow_promotion_codes: session.takesCodes,
      tax_id_collection: { enabled: session.takesTaxId, required: 'never' },
    },
    customer_details: {
      ...{ address: null, business_name: null, email: session.customer.email, individual_name: null },
      ...{ name: session.customer.name, phone: null, tax_exempt: 'none', tax_ids: [] },
    },
    automatic_tax: { enabled: false, liability: null, provider: null, status: null },
    custom_text: { after_submit: null, shipping_address: null, submit: null, terms_of_service_acceptance: null },
    total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
    ...{ adaptive_pricing: null, after_expiration: null, allowed_payment_method_types: null, payment_link: null },
    ...{ billing_address_collection: null, client_secret: null, collected_information: null, consent: null },
    ...{ consent_collection: null, currency_conversion: null, custom_fields: [], customer_account: null },
    ...{ customer_creation: null, customer_email: null, discounts: [], integration_identifier: null },
    ...{ invoice_creation: null, locale: null, managed_payments: null, origin_context: null, payment_intent: null },
    ...{ payment_method_collection: 'always', payment_method_configuration_details: null, payment_method_options: {} },
    ...{ payment_method_types: ['card'], permissions: null, recovered_from: null, saved_payment_method_options: null },
    ...{ setup_intent: null, shipping_address_collection: null, shipping_cost: null, shipping_options: [] },
    ...{ submit_type: null, ui_mode: 'hosted_page', wallet_options: null },
  }
}

export const presentPortal = ({ id, customer, returnUrl, created }: PortalSession, origin: string) => ({
  ...common,
  ...{ id, object: 'billing_portal.session', configuration: 'bpc_standard', created, customer: customer.id },
  ...{ customer_account: null, flow: null, locale: null, on_behalf_of: null, return_url: returnUrl },
  url: `${origin}/portal/${id}`,
})
