import { type Answer, type Call, fieldsOf } from '../call'
import { type Html, html } from '../pages/html'
import { page } from '../pages/page'
import type { Route } from '../routes'

/** A page for people: in no contract, without faults. */
export const ours = (method: 'GET' | 'POST', path: string, handle: Route['handle']): Route => ({
  ...{ method, path, handle },
  ours: true,
})

export const formOf = ({ body }: Call): Record<string, string | undefined> =>
  fieldsOf(body) as Record<string, string | undefined>

export const stripePage = (title: string, content: Html, status = 200): Answer =>
  page({ vendor: 'Stripe', title, content }, status)

export const gonePage = (text: string): Answer => stripePage('This page is not valid', html`<p>${text}</p>`, 404)

export const problemOf = (problem: string | undefined) => problem && html`<p class="error" role="alert">${problem}</p>`

/** Where the bank asks the holder of a card. @param hidden what the form brings back */
export const bankPage = (hidden: Readonly<Record<string, string>>): Answer =>
  stripePage(
    'Confirm the payment',
    html`<form method="post" class="card narrow"><p>Your bank wants to know that it is you who pays.</p>
${Object.entries(hidden).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<div class="row"><button name="bank" value="yes">Confirm</button><button name="bank" value="no" class="danger">Refuse</button></div></form>`,
  )
