import { type Answer, type Call, fieldsOf, many, one } from '../call'
import { html } from '../pages/html'
import { goTo, page } from '../pages/page'
import type { Route } from '../routes'
import type { Client, Grants, Person } from './grants'

export interface ConsentRules {
  vendor: string
  path: string
  clients: readonly Client[]
  people: readonly Person[]
  grants: Grants
  /** scopes that this vendor knows, with what they allow in plain words */
  scopes: Readonly<Record<string, string>>
  /** whether a person may leave scopes out, as at Google */
  scopesCanBeLeftOut: boolean
  /** whether an application without the scope parameter is given all; otherwise it is refused */
  scopesAreOptional?: boolean
  /** whether a refresh token is given; default: always */
  isOffline?: (query: Call['query']) => boolean
  /** where the page of all vendors is */
  home?: string
}

interface Asked {
  client: Client
  redirectUri: string
  scopes: string[]
  state: string | undefined
  challenge: string | null
}

/** The page on which a person allows an application, and the form that it sends. */
export function consentRoutes(rules: ConsentRules): Route[] {
  return [
    { method: 'GET', path: rules.path, ours: true, handle: (call) => show(rules, call) },
    { method: 'POST', path: rules.path, ours: true, handle: (call) => decide(rules, call) },
  ]
}

function show(rules: ConsentRules, { query }: Call): Answer {
  const asked = readAsked(rules, query)
  if ('wrong' in asked) return explain(rules, asked.wrong)
  if ('back' in asked) return goTo(asked.back)
  const { vendor, people, scopes } = rules
  const content = html`<form method="post" class="card narrow">
<p><strong>${asked.client.id}</strong> asks to use your account at the stand-in of ${vendor}. You are sent back to
<strong>${new URL(asked.redirectUri).host}</strong>.</p>
<fieldset><legend>Account</legend>${people.map(
    ({ id, name, email }, at) =>
      html`<label class="choice"><input type="radio" name="person" value="${id}"${at === 0 && html` checked`}>${name} (${email})</label>`,
  )}</fieldset>
<fieldset><legend>It may</legend>${asked.scopes.map((scope) => scopeLine(rules, scope, scopes[scope] ?? scope))}</fieldset>
<div class="row"><button name="decision" value="allow">Allow</button>
<button name="decision" value="deny" class="plain">Deny</button></div>
</form>`
  const { home } = rules
  return page({ vendor, title: `Connect to the stand-in of ${vendor}`, content, home })
}

function scopeLine({ scopesCanBeLeftOut }: ConsentRules, scope: string, words: string) {
  if (!scopesCanBeLeftOut) return html`<p class="choice">${words}</p>`
  return html`<label class="choice"><input type="checkbox" name="scope" value="${scope}" checked>${words}</label>`
}

function decide(rules: ConsentRules, { query, body }: Call): Answer {
  const asked = readAsked(rules, query)
  if ('wrong' in asked) return explain(rules, asked.wrong)
  if ('back' in asked) return goTo(asked.back)
  const form = fieldsOf(body) as Record<string, string | string[]>
  const back = new URL(asked.redirectUri)
  if (asked.state !== undefined) back.searchParams.set('state', asked.state)
  if (one(form.decision) !== 'allow') {
    back.searchParams.set('error', 'access_denied')
    return goTo(back.href)
  }
  const person = rules.people.find(({ id }) => id === one(form.person)) ?? rules.people[0]
  if (!person) return explain(rules, 'There is no account to choose.')
  const left = rules.scopesCanBeLeftOut ? many(form.scope) : asked.scopes
  const scopes = asked.scopes.filter((scope) => left.includes(scope))
  const { client, redirectUri, challenge } = asked
  const isOffline = rules.isOffline?.(query) ?? true
  const code = rules.grants.code({ person, clientId: client.id, scopes, redirectUri, challenge, isOffline })
  back.searchParams.set('code', code)
  if (rules.scopesCanBeLeftOut) back.searchParams.set('scope', scopes.join(' '))
  return goTo(back.href)
}

/**
 * @returns what an application asks for; `wrong` if it can't be told so, since it is unknown who asks; `back` with the
 * address that tells it what it did wrong
 */
function readAsked(rules: ConsentRules, query: Call['query']): Asked | { wrong: string } | { back: string } {
  const client = rules.clients.find(({ id }) => id === one(query.client_id))
  if (!client) return { wrong: `No application has the id "${one(query.client_id) ?? ''}".` }
  const redirectUri = one(query.redirect_uri) ?? ''
  if (!takesRedirect(client, redirectUri))
    return { wrong: `"${redirectUri}" is not among the addresses of ${client.id} to go back to.` }
  const state = one(query.state)
  const refuse = (error: string, description: string) => {
    const back = new URL(redirectUri)
    back.searchParams.set('error', error)
    back.searchParams.set('error_description', description)
    if (state !== undefined) back.searchParams.set('state', state)
    return { back: back.href }
  }
  if (one(query.response_type) !== 'code') return refuse('unsupported_response_type', 'response_type must be code')
  const challenge = one(query.code_challenge) ?? null
  if (challenge !== null && one(query.code_challenge_method) !== 'S256')
    return refuse('invalid_request', 'code_challenge_method must be S256')
  const named = `${one(query.scope) ?? ''} ${one(query.optional_scope) ?? ''}`.split(/\s+/).filter(Boolean)
  const scopes = named.length === 0 && rules.scopesAreOptional ? Object.keys(rules.scopes) : named
  const unknown = scopes.find((scope) => !(scope in rules.scopes))
  if (unknown !== undefined) return refuse('invalid_scope', `There is no scope ${unknown}`)
  if (scopes.length === 0) return refuse('invalid_scope', 'No scope was asked for')
  return { client, redirectUri, scopes: [...new Set(scopes)], state, challenge }
}

function takesRedirect(client: Client, redirectUri: string): boolean {
  if (client.redirectUris) return client.redirectUris.includes(redirectUri)
  const url = URL.canParse(redirectUri) ? new URL(redirectUri) : null
  return url !== null && url.hash === '' && /^(127\.0\.0\.1|localhost)$/.test(url.hostname)
}

const explain = ({ vendor, home }: ConsentRules, problem: string): Answer =>
  page({ vendor, title: 'This can’t be connected', content: html`<p class="error">${problem}</p>`, home }, 400)
