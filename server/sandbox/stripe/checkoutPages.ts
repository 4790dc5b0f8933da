import type { Answer, Call } from '../call'
import { html } from '../pages/html'
import { goTo } from '../pages/page'
import type { Route } from '../routes'
import { cardChoice, isCard } from './cards'
import { writeDay, writeMoney } from './money'
import { bankPage, formOf, gonePage, ours, problemOf, stripePage } from './pageForms'
import { presentSession } from './present'
import { type CheckoutSession, DAY, type StripeState } from './state'
import type { Subscriptions } from './subscriptions'

const DECLINED = 'Your card was declined. Choose another one.'

/** The page on which a person pays for the first time. */
export function checkoutPages(state: StripeState, subscriptions: Subscriptions): Route[] {
  const of = ({ params }: Call) => state.sessions.find(({ id, status }) => id === params.id && status === 'open')
  const gone = () => gonePage('It was used already, or a day has passed.')

  function pay(call: Call, session: CheckoutSession): Answer {
    const form = formOf(call)
    const { card, code = '', tax = '', bank } = form
    if (!isCard(card)) return shown(state, session, form, 'Choose a card.')
    const given = code.trim().toUpperCase()
    const promotion = state.promotions.find((one) => one.active && one.code === given)
    if (given !== '' && !promotion) return shown(state, session, form, `“${code}” is no code that is taken.`)
    if (card === 'declined') return shown(state, session, form, DECLINED)
    if (card === 'authentication' && bank === undefined) return bankPage({ card, code: given, tax })
    if (bank === 'no')
      return shown(state, session, form, 'Your bank did not confirm the payment. You were not charged.')
    const { customer } = session
    customer.card = card
    customer.taxId = tax.trim() || null
    const { items, subscriptionMetadata: metadata, trialDays } = session
    const begun = subscriptions.begin(customer, items, { metadata, trialDays, promotion: promotion ?? null })
    if (!begun) return shown(state, session, form, DECLINED)
    Object.assign(session, { status: 'complete', subscription: begun })
    subscriptions.tell('checkout.session.completed', presentSession(session, state.origin()))
    return goTo(session.successUrl.replaceAll('{CHECKOUT_SESSION_ID}', session.id))
  }

  return [
    ours('GET', '/pay/{id}', (call) => {
      const session = of(call)
      return session ? shown(state, session, {}) : gone()
    }),
    ours('POST', '/pay/{id}', (call) => {
      const session = of(call)
      return session ? pay(call, session) : gone()
    }),
  ]
}

function shown(
  state: StripeState,
  session: CheckoutSession,
  form: Record<string, string | undefined>,
  problem?: string,
): Answer {
  const currency = session.items[0]?.price.currency ?? 'usd'
  const total = session.items.reduce((sum, { price, quantity }) => sum + price.amount * quantity, 0)
  const per = session.items[0]?.price.interval === 'year' ? 'a year' : 'a month'
  const trial = session.trialDays > 0 && writeDay(state.now() + session.trialDays * DAY)
  const content = html`<form method="post" class="card narrow">${problemOf(problem)}
<dl>${session.items.map(
    ({ price, quantity }) =>
      html`<dt>${quantity} × ${price.product.name}</dt><dd>${writeMoney(price.amount * quantity, currency)}</dd>`,
  )}<dt>In all ${per}</dt><dd>${writeMoney(total, currency)}</dd></dl>
${trial && html`<p>Free until ${trial}; nothing is charged before.</p>`}
${cardChoice(isCard(form.card) ? form.card : 'works')}
${
  session.takesCodes &&
  html`<p><label for="code">Promotion code (may be left empty)</label><input id="code" name="code" autocomplete="off" maxlength="100" value="${form.code}"></p>`
}
${
  session.takesTaxId &&
  html`<p><label for="tax">Tax id of a company (may be left empty)</label><input id="tax" name="tax" autocomplete="off" maxlength="100" value="${form.tax}"></p>`
}
<div class="row"><button>Subscribe</button><a href="${session.cancelUrl}">Back without paying</a></div></form>`
  return stripePage('Subscribe', content, problem ? 402 : 200)
}
