import { createHmac } from 'node:crypto'
import { makeId, type StripeState } from './state'

export const API_VERSION = '2026-10-28.endive'

/** Keeps an event, and tells each address of it, signed. */
export function tellEvent(state: StripeState, type: string, object: unknown, sentAt: () => Date): void {
  const event = { id: makeId(state, 'evt'), type, created: state.now(), object: structuredClone(object) }
  state.events.push(event)
  const body = presentEvent(event)
  const sign = (secret: string) => (raw: string) => {
    // the time of whoever receives it: this account's own may have been moved on
    const time = Math.floor(sentAt().getTime() / 1_000)
    return { 'stripe-signature': `t=${time},v1=${createHmac('sha256', secret).update(`${time}.${raw}`).digest('hex')}` }
  }
  for (const url of state.webhookUrls)
    state.webhooks.send({
      ...{ event: type, url, body, headers: sign(state.webhookSecret), wrongHeaders: sign('another secret') },
    })
}

export const presentEvent = ({ id, type, created, object }: StripeState['events'][number]) => ({
  ...{ id, object: 'event', type, created, livemode: false, api_version: API_VERSION, pending_webhooks: 1 },
  ...{ data: { object }, request: { id: null, idempotency_key: null } },
})
