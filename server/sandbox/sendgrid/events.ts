import { createSign, generateKeyPairSync } from 'node:crypto'
import type { WebhookSender } from '../webhooks'
import type { EventName, EventWebhook, SendgridState, SentMail } from './state'

/** Which switch of a webhook's settings lets an event be told. */
const SWITCHES: Readonly<Record<EventName, string>> = {
  processed: 'processed',
  delivered: 'delivered',
  deferred: 'deferred',
  bounce: 'bounce',
  dropped: 'dropped',
  open: 'open',
  click: 'click',
  spamreport: 'spam_report',
  unsubscribe: 'unsubscribe',
}

const MORE: Readonly<Partial<Record<EventName, object>>> = {
  bounce: { reason: '550 5.1.1 The email account does not exist', status: '5.1.1', type: 'bounce' },
  dropped: { reason: 'Bounced Address', status: '5.0.0' },
  deferred: { response: '400 try again later', attempt: '1' },
  delivered: { response: '250 OK' },
  click: { url: 'https://example.com/' },
}

export function createSigningKeys(): SendgridState['signing'] {
  const { publicKey, privateKey } = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  return { publicKey: publicKey.toString('base64'), privateKey }
}

/** Tells every webhook that wants it what became of a mail: a list with one event for each person it went to. */
export function tellEvent(state: SendgridState, sender: WebhookSender, mail: SentMail, event: EventName): void {
  mail.state = event
  const people = [...mail.to, ...mail.cc, ...mail.bcc]
  const events = people.map(({ email }) => ({
    email,
    timestamp: Math.floor(state.clock().getTime() / 1_000),
    event,
    sg_event_id: state.random.text(22),
    sg_message_id: `${mail.messageId}.recvd-stand-in-1-${state.random.text(8)}.0`,
    ...(mail.categories.length > 0 && { category: mail.categories }),
    // arguments of ours stand beside the fields
    ...mail.customArgs,
    ...MORE[event],
  }))
  for (const webhook of state.webhooks)
    if (webhook.enabled && webhook.events[SWITCHES[event]]) send(state, sender, webhook, event, events)
}

/** `POST event/test`: examples to an address, as the button in SendGrid does */
export function sendTest(state: SendgridState, sender: WebhookSender, webhook: EventWebhook): void {
  const example = {
    email: 'example@test.com',
    timestamp: Math.floor(state.clock().getTime() / 1_000),
    event: 'processed',
    sg_event_id: state.random.text(22),
    sg_message_id: `${state.random.text(22)}.recvd-stand-in`,
  }
  send(state, sender, webhook, 'test', [example])
}

function send(
  state: SendgridState,
  sender: WebhookSender,
  webhook: EventWebhook,
  event: string,
  events: object[],
): void {
  const isSigned = webhook.isSigned
  sender.send({
    event,
    url: webhook.url,
    body: events,
    headers: (raw, at) => (isSigned ? sign(raw, at, state.signing.privateKey) : {}),
    // of another body: well formed, and not right
    wrongHeaders: (raw, at) => sign(`${raw} `, at, state.signing.privateKey),
  })
}

/** ECDSA over the time, as a text, and the bytes of the body; no HMAC. */
function sign(raw: string, at: Date, privateKey: string): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1_000))
  const signature = createSign('sha256')
    .update(timestamp + raw)
    .sign(privateKey, 'base64')
  return {
    'x-twilio-email-event-webhook-signature': signature,
    'x-twilio-email-event-webhook-timestamp': timestamp,
  }
}
