import { FaultScript } from '../faults'
import { createSeededRandom } from '../seededRandom'
import { type StandIn, type StandInOptions, startStandIn } from '../standIn'
import { createWebhookSender, type WebhookSender } from '../webhooks'
import { refuseAsWhatsapp } from './errors'
import { whatsappKinds } from './kinds'
import { phonePages } from './phonePages'
import { createPhones, type Phones } from './phones'
import { signupRoutes } from './signup'
import type { BusinessNumber, WhatsappState } from './state'
import { whatsappApi } from './whatsappApi'

export interface WhatsappStandIn extends StandIn {
  state: WhatsappState
  phones: Phones
  webhooks: WebhookSender
}

/** Starts a stand-in of WhatsApp's Cloud API: a business's number, and phones of people who write to it. */
export async function startWhatsappStandIn(options: StandInOptions): Promise<WhatsappStandIn> {
  const { clock, seed = 1, contract } = options
  const random = createSeededRandom(seed)
  const faults = new FaultScript()
  const webhooks = createWebhookSender({
    clock,
    faults,
    check: contract && ((body) => contract.value('WebhookPayload', body)),
  })
  let origin = ''
  const number = (name: string, display: string): BusinessNumber => ({
    ...{ id: random.digits(15), display, name, pin: null, tier: 'TIER_1K' },
  })
  const state: WhatsappState = {
    appId: random.digits(15),
    appSecret: `stand-in-secret-${random.text(16)}`,
    configuration: random.digits(15),
    token: `EAA${random.text(60)}`,
    scopes: ['whatsapp_business_messaging', 'whatsapp_business_management'],
    businessId: random.digits(15),
    number: number('Workshop (sandbox)', '+44 20 7946 0958'),
    numbers: [],
    profile: { about: 'A stand-in of a business' },
    subscription: null,
    phones: [],
    media: new Map(),
    uploads: new Map(),
    templates: [],
    readByBusiness: new Set(),
    clock,
    random,
    origin: () => origin,
  }
  state.numbers = [state.number, number('Bicycle school (sandbox)', '+44 20 7946 0959')]
  const phones = createPhones(state, webhooks)
  const { routes, admit } = whatsappApi(state, phones, options.limited ?? false)
  const vendor = {
    name: 'WhatsApp',
    routes: [...routes, ...signupRoutes(state, options.home), ...phonePages(state, phones, options.home)],
    refuse: refuseAsWhatsapp,
    kinds: () => whatsappKinds(state, phones),
    admit,
    webhooks,
  }
  const standIn = await startStandIn(vendor, options, faults)
  origin = standIn.origin
  return { ...standIn, state, phones, webhooks }
}
