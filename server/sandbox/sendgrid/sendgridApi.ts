import { type Answer, type Call, fieldsOf, Refusal } from '../call'
import { CallLimit } from '../callLimit'
import { bearerOf } from '../oauth/tokens'
import type { Route } from '../routes'
import { requireLoopback, type WebhookSender } from '../webhooks'
import { refuseAsSendgrid, refuseSendgrid } from './errors'
import { sendTest } from './events'
import { sendMail } from './sendMail'
import type { EventWebhook, SendgridState, SentMail } from './state'

/** Calls a minute of one key. The sheet names no number; this one is ours. */
const PER_MINUTE = 600
/** Which events a webhook may be told, as its settings name them. */
export const SWITCHES = [
  'group_resubscribe',
  'delivered',
  'group_unsubscribe',
  'spam_report',
  'bounce',
  'deferred',
  'unsubscribe',
  'processed',
  'open',
  'click',
  'dropped',
]

/** @returns the calls of mails and of the event webhook, and who may make them */
export function sendgridApi(
  state: SendgridState,
  sender: WebhookSender,
  onSent: (mail: SentMail) => void,
  limited: boolean,
) {
  const limit = new CallLimit(PER_MINUTE, 60)
  const counted = new WeakMap<Call, { left: number; resetSeconds: number }>()

  function admit(call: Call, route: Route): void {
    if (!route.scopes) return
    const key = bearerOf(call) ?? ''
    const scopes = state.keys.get(key)
    if (!scopes) throw new Refusal(refuseAsSendgrid('unauthorized'))
    if (!route.scopes.some((scope) => scopes.includes(scope))) throw new Refusal(refuseAsSendgrid('forbidden'))
    if (!limited) return
    const count = limit.count(key, call.at)
    counted.set(call, count)
    if (count.left < 0) throw new Refusal(refuseAsSendgrid('tooMany'))
  }

  const headers = (call: Call): Record<string, string> => {
    const count = counted.get(call)
    if (!count) return {}
    return {
      'x-ratelimit-limit': String(PER_MINUTE),
      'x-ratelimit-remaining': String(Math.max(0, count.left)),
      'x-ratelimit-reset': String(Math.floor(call.at.getTime() / 1_000) + count.resetSeconds),
    }
  }

  const routes: Route[] = [
    {
      method: 'POST',
      path: '/v3/mail/send',
      scopes: ['mail.send'],
      handle: ({ body }) => sendMail(state, body, onSent),
    },
    {
      method: 'POST',
      path: '/v3/mail/batch',
      scopes: ['mail.send'],
      handle: () => {
        const batch_id = state.random.text(40)
        state.batches.add(batch_id)
        return { status: 201, body: { batch_id } }
      },
    },
    {
      method: 'GET',
      path: '/v3/mail/batch/{batch_id}',
      scopes: ['mail.send'],
      handle: ({ params: { batch_id = '' } }) => {
        if (!state.batches.has(batch_id)) throw refuseSendgrid(400, 'invalid batch id', 'batch_id')
        return { status: 200, body: { batch_id } }
      },
    },
    {
      method: 'GET',
      path: '/v3/scopes',
      scopes: [...new Set([...state.keys.values()].flat()), 'mail.send'],
      handle: (call) => ({ status: 200, body: { scopes: state.keys.get(bearerOf(call) ?? '') ?? [] } }),
    },
    ...webhookRoutes(state, sender),
  ]
  return { routes, admit, headers }
}

function webhookRoutes(state: SendgridState, sender: WebhookSender): Route[] {
  const path = '/v3/user/webhooks/event/settings'
  const scopes = ['user.webhooks.event.settings.update']
  const find = ({ params }: Call): EventWebhook => {
    const found = state.webhooks.find(({ id }) => id === params.id)
    if (!found) throw new Refusal(refuseAsSendgrid('notFound'))
    return found
  }
  const checkUrl = (url: string) => requireLoopback(url, (message) => refuseSendgrid(400, message, 'url'))
  const ok = (body: unknown, status = 200): Answer => ({ status, body })
  const settings = (body: unknown) => {
    const given = fieldsOf(body) as Record<string, unknown>
    const events = Object.fromEntries(SWITCHES.flatMap((name) => (name in given ? [[name, given[name] === true]] : [])))
    return {
      url: String(given.url ?? ''),
      enabled: given.enabled,
      name: given.friendly_name as string | null | undefined,
      events,
    }
  }
  return [
    {
      method: 'POST',
      path,
      scopes,
      handle: ({ body }) => {
        const { url, enabled = true, name = null, events } = settings(body)
        checkUrl(url)
        const now = state.clock()
        const id = state.random.text(22)
        const added = {
          id,
          url,
          name,
          enabled: enabled === true,
          events,
          isSigned: false,
          createdAt: now,
          updatedAt: now,
        }
        state.webhooks.push(added)
        return ok(present(added), 201)
      },
    },
    {
      method: 'GET',
      path: `${path}/all`,
      scopes,
      handle: () => ok({ max_allowed: 5, webhooks: state.webhooks.map((webhook) => withKey(state, webhook)) }),
    },
    { method: 'GET', path: `${path}/{id}`, scopes, handle: (call) => ok(withKey(state, find(call))) },
    {
      method: 'PATCH',
      path: `${path}/{id}`,
      scopes,
      handle: (call) => {
        const webhook = find(call)
        const { url, enabled, name, events } = settings(call.body)
        checkUrl(url)
        Object.assign(webhook, { url, name: name ?? webhook.name, updatedAt: state.clock() })
        if (enabled !== undefined) webhook.enabled = enabled === true
        webhook.events = { ...webhook.events, ...events }
        return ok(present(webhook))
      },
    },
    {
      method: 'DELETE',
      path: `${path}/{id}`,
      scopes,
      handle: (call) => {
        const found = find(call)
        state.webhooks = state.webhooks.filter((other) => other !== found)
        return { status: 204 }
      },
    },
    {
      method: 'GET',
      path: `${path}/signed/{id}`,
      scopes,
      handle: (call) => {
        const { id, isSigned } = find(call)
        return ok({ id, public_key: isSigned ? state.signing.publicKey : '' })
      },
    },
    {
      method: 'PATCH',
      path: `${path}/signed/{id}`,
      scopes,
      handle: (call) => {
        const webhook = find(call)
        webhook.isSigned = fieldsOf(call.body).enabled === true
        return ok({ id: webhook.id, public_key: webhook.isSigned ? state.signing.publicKey : '' })
      },
    },
    {
      method: 'POST',
      path: '/v3/user/webhooks/event/test',
      scopes,
      handle: ({ body }) => {
        const { url, id } = fieldsOf(body) as { url: string; id?: string }
        checkUrl(url)
        const known = state.webhooks.find((webhook) => webhook.id === id)
        const now = state.clock()
        const any = { id: '', name: null, enabled: true, events: {}, isSigned: false, createdAt: now, updatedAt: now }
        sendTest(state, sender, { ...any, ...known, url })
        return { status: 204 }
      },
    },
  ]
}

const present = ({ id, url, name, enabled, events, createdAt, updatedAt }: EventWebhook) => ({
  id,
  enabled,
  url,
  friendly_name: name,
  account_status_change: false,
  ...Object.fromEntries(SWITCHES.map((switched) => [switched, events[switched] ?? false])),
  created_date: createdAt.toISOString(),
  updated_date: updatedAt.toISOString(),
  oauth_client_id: null,
  oauth_token_url: null,
})

const withKey = (state: SendgridState, webhook: EventWebhook) => ({
  ...present(webhook),
  public_key: webhook.isSigned ? state.signing.publicKey : '',
})
