import { type Answer, type Call, one, Refusal } from '../call'
import { CallLimit } from '../callLimit'
import { bearerOf } from '../oauth/tokens'
import type { Route } from '../routes'
import { refuseAsZendesk } from './errors'
import { changedArticles, listArticles, pageOf, showArticle } from './helpCenter'
import { placeRoutes } from './places'
import { searchTickets } from './search'
import type { ZendeskState } from './state'
import { createTicket, findTicket, presentComments, presentTicket, updateTicket, writeTime } from './tickets'

/** Calls a minute of the plan "Growth", and of exports that only tell what changed. */
const PER_MINUTE = 400
const EXPORTS_PER_MINUTE = 10
const MINUTE = 60

/** @returns the calls of tickets and Help Center, and who may make them */
export function zendeskApi(state: ZendeskState, limited: boolean) {
  const calls = new CallLimit(PER_MINUTE, MINUTE)
  const exports = new CallLimit(EXPORTS_PER_MINUTE, MINUTE)
  const counted = new WeakMap<Call, { left: number; resetSeconds: number }>()

  function admit(call: Call, route: Route): void {
    if (!route.scopes || (route.guests && bearerOf(call) === undefined)) return
    const grant = state.grants.grantOf(bearerOf(call))
    if (!grant) throw new Refusal(refuseAsZendesk('unauthorized'))
    call.grant = grant
    if (!route.scopes.some((scope) => grant.scopes.includes(scope))) throw new Refusal(refuseAsZendesk('forbidden'))
    if (!limited) return
    const count = (route.counts === 'export' ? exports : calls).count('', call.at)
    counted.set(call, count)
    if (count.left < 0) throw new Refusal(refuseAsZendesk('tooMany', { retryAfter: count.resetSeconds }))
  }

  const headers = (call: Call): Record<string, string> => {
    const count = counted.get(call)
    if (!count) return {}
    const remaining = String(Math.max(0, count.left))
    return {
      'x-rate-limit': String(PER_MINUTE),
      'x-rate-limit-remaining': remaining,
      'ratelimit-limit': String(PER_MINUTE),
      'ratelimit-remaining': remaining,
      'ratelimit-reset': String(count.resetSeconds),
    }
  }

  function revoke(call: Call): void {
    const grant = state.grants.holderOf(bearerOf(call) ?? '')
    if (grant) state.grants.revoke(grant)
  }
  return { routes: [...ticketRoutes(state), ...placeRoutes(state), ...articleRoutes(state)], admit, headers, revoke }
}

const ok = (body: unknown, status = 200): Answer => ({ status, body })
const READS = ['tickets:read', 'read']
const WRITES = ['tickets:write', 'write']
const ARTICLES = ['hc:read', 'read']

function ticketRoutes(state: ZendeskState): Route[] {
  const idOf = ({ params }: Call) => Number(params.id)
  return [
    {
      method: 'GET',
      path: '/api/v2/oauth/tokens/current',
      scopes: [...READS, ...WRITES, ...ARTICLES, 'users:read'],
      handle: ({ grant }) => {
        const expires_at = grant?.accessUntil ? writeTime(new Date(grant.accessUntil)) : null
        return ok({ token: { id: 1, scopes: grant?.scopes ?? [], expires_at } })
      },
    },
    {
      method: 'DELETE',
      path: '/api/v2/oauth/tokens/current',
      scopes: [...READS, ...WRITES, ...ARTICLES, 'users:read'],
      handle: ({ grant }) => {
        if (grant) state.grants.revoke(grant)
        return { status: 204 }
      },
    },
    {
      method: 'GET',
      path: '/api/v2/users/me',
      scopes: ['users:read', 'read'],
      handle: ({ grant }) => {
        const found = state.users.find(({ email }) => email === grant?.person.email)
        return ok({ user: found ?? { id: null, name: 'Anonymous user', email: null, role: 'end-user' } })
      },
    },
    { method: 'POST', path: '/api/v2/tickets', scopes: WRITES, handle: (call) => createTicket(state, call) },
    {
      method: 'GET',
      path: '/api/v2/tickets/{id}',
      scopes: READS,
      handle: (call) => ok({ ticket: presentTicket(state, findTicket(state, idOf(call))) }),
    },
    {
      method: 'PUT',
      path: '/api/v2/tickets/{id}',
      scopes: WRITES,
      handle: (call) => {
        const ticket = updateTicket(state, idOf(call), call.body)
        return ok({ ticket: presentTicket(state, ticket), audit: { id: ticket.id * 10 + 1, ticket_id: ticket.id } })
      },
    },
    {
      method: 'GET',
      path: '/api/v2/tickets/{id}/comments',
      scopes: READS,
      handle: (call) => ok(pageOf('comments', presentComments(findTicket(state, idOf(call))), call, state.origin())),
    },
    { method: 'GET', path: '/api/v2/search', scopes: READS, handle: ({ query }) => ok(searchTickets(state, query)) },
    {
      method: 'GET',
      path: '/api/v2/ticket_fields',
      scopes: READS,
      handle: (call) => {
        const shown = state.fields.map(({ id, type, title, required, options, custom }) => ({
          id,
          type,
          title,
          active: true,
          required,
          removable: custom,
          ...(options && { custom_field_options: options.map((option, at) => ({ id: id * 100 + at, ...option })) }),
        }))
        return ok(pageOf('ticket_fields', shown, call, state.origin()))
      },
    },
    {
      method: 'POST',
      path: '/api/v2/uploads',
      scopes: WRITES,
      handle: ({ query, body }) => {
        const token = one(query.token) ?? state.random.text(24)
        const filename = one(query.filename) ?? ''
        const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0)
        state.uploads.set(token, { filename, bytes })
        const attachment = {
          id: state.nextId(),
          file_name: filename,
          size: bytes.length,
          content_type: 'application/binary',
        }
        return ok({ upload: { token, attachment, attachments: [attachment] } }, 201)
      },
    },
  ]
}

function articleRoutes(state: ZendeskState): Route[] {
  const base = '/api/v2/help_center'
  const inLocale = <T extends { locale: string }>(all: readonly T[], { params }: Call) =>
    all.filter(({ locale }) => locale === params.locale)
  return [
    {
      method: 'GET',
      path: `${base}/locales`,
      scopes: ARTICLES,
      guests: true,
      handle: () => ok({ locales: state.locales, default_locale: state.locales[0] ?? 'en-us' }),
    },
    { method: 'GET', path: `${base}/articles`, scopes: ARTICLES, handle: (call) => ok(listArticles(state, call)) },
    {
      method: 'GET',
      path: `${base}/{locale}/articles`,
      scopes: ARTICLES,
      guests: true,
      handle: (call) => ok(listArticles(state, call)),
    },
    {
      method: 'GET',
      path: `${base}/{locale}/articles/{id}`,
      scopes: ARTICLES,
      guests: true,
      handle: (call) => ok(showArticle(state, call)),
    },
    {
      method: 'GET',
      path: `${base}/incremental/articles`,
      scopes: ARTICLES,
      counts: 'export',
      handle: (call) => ok(changedArticles(state, call)),
    },
    {
      method: 'GET',
      path: `${base}/{locale}/sections`,
      scopes: ARTICLES,
      handle: (call) => {
        const shown = inLocale(state.sections, call).map(({ id, name, categoryId, locale }) => ({
          id,
          name,
          category_id: categoryId,
          parent_section_id: null,
          locale,
        }))
        return ok(pageOf('sections', shown, call, state.origin()))
      },
    },
    {
      method: 'GET',
      path: `${base}/{locale}/categories`,
      scopes: ARTICLES,
      handle: (call) => ok(pageOf('categories', inLocale(state.categories, call), call, state.origin())),
    },
  ]
}
