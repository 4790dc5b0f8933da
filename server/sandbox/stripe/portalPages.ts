import type { Answer, Call } from '../call'
import { html } from '../pages/html'
import { goTo } from '../pages/page'
import type { Route } from '../routes'
import { cardChoice, cards, isCard } from './cards'
import { writeDay, writeMoney } from './money'
import { bankPage, formOf, gonePage, ours, problemOf, stripePage } from './pageForms'
import { dueOf, type Invoice, isLive, type PortalSession, type StripeState } from './state'
import type { Subscriptions } from './subscriptions'

/** An hour, as a portal's link lives. */
const LIVES = 3_600

/** The portal, where a person changes the card and cancels, and the page of an invoice. */
export function portalPages(state: StripeState, subscriptions: Subscriptions): Route[] {
  const of = ({ params }: Call) =>
    state.portals.find(({ id, created }) => id === params.id && state.now() - created < LIVES)
  const gone = () => gonePage('This link has expired. Open the portal again from Parley.')
  const invoiceOf = ({ params }: Call) => state.invoices.find(({ id }) => id === params.id)

  function decide(portal: PortalSession, form: Record<string, string | undefined>): Answer {
    const { customer } = portal
    if (form.do === 'card' && isCard(form.card)) {
      if (form.card === 'declined') return shownPortal(state, portal, 'Your card was declined.')
      customer.card = form.card
      // what is open is tried at once with the new card
      for (const invoice of state.invoices)
        if (invoice.customer === customer && invoice.status === 'open') subscriptions.pay(invoice)
    }
    const subscription = state.subscriptions.find((one) => one.customer === customer && isLive(one))
    if (subscription && (form.do === 'cancel' || form.do === 'resume')) {
      if (subscription.schedule) subscriptions.endSchedule(subscription.schedule, 'released')
      subscriptions.cancelAtEnd(subscription, form.do === 'cancel')
    }
    return goTo(`/portal/${portal.id}`)
  }

  function pay(invoice: Invoice, { bank }: Record<string, string | undefined>): Answer {
    const { card } = invoice.customer
    if (card === 'authentication' && bank === undefined) return bankPage({})
    const isPaid = subscriptions.pay(invoice, bank === 'yes')
    return isPaid ? goTo(`/invoices/${invoice.id}`) : shownInvoice(invoice, 'The payment did not go through.')
  }

  return [
    ours('GET', '/portal/{id}', (call) => {
      const portal = of(call)
      return portal ? shownPortal(state, portal) : gone()
    }),
    ours('POST', '/portal/{id}', (call) => {
      const portal = of(call)
      return portal ? decide(portal, formOf(call)) : gone()
    }),
    ours('GET', '/invoices/{id}', (call) => {
      const invoice = invoiceOf(call)
      return invoice ? shownInvoice(invoice) : gonePage('There is no such invoice.')
    }),
    ours('GET', '/invoices/{id}/pdf', (call) => {
      const invoice = invoiceOf(call)
      return invoice ? shownInvoice(invoice) : gonePage('There is no such invoice.')
    }),
    ours('POST', '/invoices/{id}', (call) => {
      const invoice = invoiceOf(call)
      return invoice ? pay(invoice, formOf(call)) : gonePage('There is no such invoice.')
    }),
  ]
}

function shownPortal(state: StripeState, portal: PortalSession, problem?: string): Answer {
  const { customer, returnUrl } = portal
  const subscription = state.subscriptions.find((one) => one.customer === customer && isLive(one))
  const invoices = state.invoices.filter((one) => one.customer === customer).reverse()
  const content = html`${problemOf(problem)}
${returnUrl && html`<p><a href="${returnUrl}">Back to Parley</a></p>`}
<section class="card narrow"><h2>Subscription</h2>${
    subscription
      ? html`<p>${subscription.items.map(({ price, quantity }) => `${quantity} × ${price.product.name}`).join(', ')}, ${
          subscription.cancelsAtEnd ? 'ends' : 'renews'
        } on ${writeDay(subscription.periodEnd)}.</p>
<form method="post">${
          subscription.cancelsAtEnd
            ? html`<button name="do" value="resume">Don’t cancel</button>`
            : html`<button name="do" value="cancel" class="danger">Cancel the subscription</button>`
        }</form>`
      : html`<p class="soft">There is none.</p>`
  }</section>
<form method="post" class="card narrow"><h2>Card</h2><p>${customer.card ? cards[customer.card] : 'None yet'}</p>
${cardChoice(customer.card ?? 'works')}<button name="do" value="card">Use this card</button></form>
<section class="card narrow"><h2>Invoices</h2>${
    invoices.length === 0
      ? html`<p class="soft">There are none.</p>`
      : html`<ul>${invoices.map(
          (invoice) =>
            html`<li><a href="/invoices/${invoice.id}">${invoice.number}</a>, ${writeDay(invoice.created)}, ${amountOf(invoice)}, ${invoice.status}</li>`,
        )}</ul>`
  }</section>`
  return stripePage('Your subscription', content, problem ? 402 : 200)
}

const amountOf = (invoice: Invoice) => writeMoney(dueOf(invoice), currencyOf(invoice))
const currencyOf = ({ lines }: Invoice) => lines[0]?.price.currency ?? 'usd'

function shownInvoice(invoice: Invoice, problem?: string): Answer {
  const content = html`<section class="card narrow">${problemOf(problem)}
<dl>${invoice.lines.map(
    ({ description, amount }) => html`<dt>${description}</dt><dd>${writeMoney(amount, currencyOf(invoice))}</dd>`,
  )}${invoice.discount > 0 && html`<dt>Discount</dt><dd>${writeMoney(-invoice.discount, currencyOf(invoice))}</dd>`}
<dt>To pay</dt><dd>${amountOf(invoice)}</dd><dt>Status</dt><dd>${invoice.status}</dd></dl>
${invoice.status === 'open' && html`<form method="post"><button>Pay</button></form>`}</section>`
  return stripePage(`Invoice ${invoice.number}`, content, problem ? 402 : 200)
}
