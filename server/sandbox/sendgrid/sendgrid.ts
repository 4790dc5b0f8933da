import { FaultScript } from '../faults'
import { createSeededRandom } from '../seededRandom'
import { type StandIn, type StandInOptions, startStandIn } from '../standIn'
import { createWebhookSender, type WebhookSender } from '../webhooks'
import { refuseAsSendgrid } from './errors'
import { createSigningKeys, tellEvent } from './events'
import { sendgridKinds } from './kinds'
import { SWITCHES, sendgridApi } from './sendgridApi'
import type { EventName, SendgridState, SentMail } from './state'

export interface SendgridStandIn extends StandIn {
  /** a key that may do everything Parley does */
  key: string
  state: SendgridState
  webhooks: WebhookSender
  /** makes another key, such as one without `mail.send` */
  addKey(scopes: readonly string[]): string
  /** a signed webhook that is told of all that becomes of mails */
  addWebhook(url: string): void
  /** tells webhooks what became of a mail */
  tell(mail: SentMail, event: EventName): void
}

/** Starts a stand-in of SendGrid: mails are kept, and what becomes of them is told by signed webhooks. */
export async function startSendgridStandIn(options: StandInOptions): Promise<SendgridStandIn> {
  const { clock, seed = 1, contract } = options
  const random = createSeededRandom(seed)
  const faults = new FaultScript()
  const webhooks = createWebhookSender({ clock, faults, check: contract && ((body) => contract.value('Events', body)) })
  const state: SendgridState = {
    keys: new Map(),
    senders: ['@example.com'],
    mails: [],
    webhooks: [],
    batches: new Set(),
    signing: createSigningKeys(),
    clock,
    random,
  }
  const addKey = (scopes: readonly string[]) => {
    const key = `SG.${random.text(22)}.${random.text(43)}`
    state.keys.set(key, [...scopes])
    return key
  }
  const key = addKey(['mail.send', 'user.webhooks.event.settings.read', 'user.webhooks.event.settings.update'])
  const addWebhook = (url: string) => {
    const now = clock()
    const events = Object.fromEntries(SWITCHES.map((name) => [name, true]))
    const webhook = { id: random.text(22), url, name: null, enabled: true, events, isSigned: true }
    state.webhooks.push({ ...webhook, createdAt: now, updatedAt: now })
  }
  const tell = (mail: SentMail, event: EventName) => tellEvent(state, webhooks, mail, event)
  const onSent = (mail: SentMail) => {
    tell(mail, 'processed')
    tell(mail, outcomeOf(mail))
  }
  const { routes, admit, headers } = sendgridApi(state, webhooks, onSent, options.limited ?? false)
  const vendor = {
    name: 'SendGrid',
    routes,
    refuse: refuseAsSendgrid,
    kinds: () => sendgridKinds(state, tell),
    admit,
    headers,
    webhooks,
  }
  const standIn = await startStandIn(vendor, options, faults)
  return { ...standIn, key, state, webhooks, addKey, addWebhook, tell }
}

/** A mail to `bounce@…`, `dropped@…` or `deferred@…` meets that; all others arrive. */
function outcomeOf({ to }: SentMail): EventName {
  const name = to[0]?.email.split('@')[0]
  return name === 'bounce' || name === 'dropped' || name === 'deferred' ? name : 'delivered'
}
