import { type Answer, type Call, fieldsOf, one } from '../call'
import { html } from '../pages/html'
import { goTo, page } from '../pages/page'
import type { Route } from '../routes'
import { refuseGraph } from './errors'
import type { WhatsappState } from './state'

/** How a person shares their number with an app: Meta's dialog, and the exchange of its code for a token. */
export function signupRoutes(state: WhatsappState, home: string | undefined): Route[] {
  /** codes that were not exchanged yet, with where they were sent */
  const codes = new Map<string, string>()

  /** @returns where the app wants the person back; null: it is not the app, or asks otherwise than it has to */
  function backOf({ query }: Call): URL | null {
    const address = one(query.redirect_uri) ?? ''
    const asks = one(query.client_id) === state.appId && one(query.config_id) === state.configuration
    if (!asks || one(query.response_type) !== 'code' || !URL.canParse(address)) return null
    const back = new URL(address)
    back.searchParams.set('state', one(query.state) ?? '')
    return /^(127\.0\.0\.1|localhost)$/.test(back.hostname) ? back : null
  }

  const dialog = (method: 'GET' | 'POST', handle: (back: URL, call: Call) => Answer): Route => ({
    method,
    path: '/{Version}/dialog/oauth',
    ours: true,
    handle(call) {
      const back = backOf(call)
      const problem = html`<p class="error">No app asks in this way.</p>`
      return back
        ? handle(back, call)
        : page({ vendor: 'Meta', title: 'This can’t be connected', content: problem, home }, 400)
    },
  })
  return [
    dialog('GET', () =>
      page({
        ...{ vendor: 'Meta', title: 'Connect WhatsApp', home },
        content: html`<form method="post" class="card"><p>Parley asks to send and receive messages for</p>
<p><strong>${state.number.name}</strong><br>${state.number.display}</p>
<p><button name="decision" value="allow">Share this number</button> <button class="plain" name="decision" value="deny">Cancel</button></p></form>`,
      }),
    ),
    dialog('POST', (back, { body }) => {
      if (fieldsOf(body).decision !== 'allow') {
        back.searchParams.set('error', 'access_denied')
        return goTo(back.href)
      }
      const code = state.random.text(40)
      codes.set(code, `${back.origin}${back.pathname}`)
      back.searchParams.set('code', code)
      return goTo(back.href)
    }),
    {
      method: 'GET',
      path: '/{Version}/oauth/access_token',
      handle({ query }) {
        const code = one(query.code) ?? ''
        const sentTo = codes.get(code)
        codes.delete(code)
        if (one(query.client_id) !== state.appId || one(query.client_secret) !== state.appSecret)
          throw refuseGraph(400, 101, 'The app’s id and its secret do not belong together.')
        if (sentTo === undefined || sentTo !== one(query.redirect_uri))
          throw refuseGraph(400, 100, 'This code is not valid here, or was used.')
        return { status: 200, body: { access_token: state.token, token_type: 'bearer' } }
      },
    },
  ]
}
