import { createHash } from 'node:crypto'
import { type Call, fieldsOf, one, Refusal } from '../call'
import { bearerOf } from '../oauth/tokens'
import type { Route } from '../routes'
import { requireLoopback } from '../webhooks'
import { refuseAsWhatsapp, refuseGraph } from './errors'
import type { Phones } from './phones'
import { createSendMessage } from './sendMessage'
import type { MessageTemplate, WhatsappState } from './state'

/** @returns the calls of the Graph interface that a business makes, and who may make them */
export function whatsappApi(state: WhatsappState, phones: Phones, limited: boolean) {
  const sendMessage = createSendMessage(state, phones, limited)
  const ofNumber = ({ params }: Call) => {
    if (params['Phone-Number-ID'] !== state.number.id) throw refuseGraph(400, 100, 'There is no such phone number.')
  }
  const ofBusiness = ({ params }: Call) => {
    if (params['WABA-ID'] !== state.businessId) throw refuseGraph(400, 100, 'There is no such business account.')
  }

  async function subscribe(call: Call) {
    ofBusiness(call)
    const { override_callback_uri: url, verify_token: verifyToken } = fieldsOf(call.body)
    if (typeof url !== 'string' || typeof verifyToken !== 'string')
      throw refuseGraph(400, 100, 'The stand-in has no callback address of an app: give override_callback_uri.')
    requireLoopback(url, (message) => refuseGraph(400, 100, message))
    const challenge = state.random.digits(10)
    const query = new URLSearchParams({
      ...{ 'hub.mode': 'subscribe', 'hub.verify_token': verifyToken, 'hub.challenge': challenge },
    })
    const answer = await fetch(`${url}?${query}`, { redirect: 'manual' }).catch(() => null)
    if (answer?.status !== 200 || (await answer.text()) !== challenge)
      throw refuseGraph(400, 100, 'The callback address did not answer with the challenge.')
    state.subscription = { url, verifyToken }
    return { status: 200, body: { success: true } }
  }

  const route = (method: Route['method'], path: string, handle: Route['handle']): Route => ({
    method,
    path,
    scopes: ['business'],
    handle,
  })
  const apps = '/{Version}/{WABA-ID}/subscribed_apps'
  const templates = '/{Version}/{WABA-ID}/message_templates'
  const profile = '/{Version}/{Phone-Number-ID}/whatsapp_business_profile'
  const routes: Route[] = [
    route('POST', '/{Version}/{Phone-Number-ID}/messages', sendMessage),
    // numbers, business accounts and media have one form of address: the id decides
    route('GET', '/{Version}/{Media-ID}', ({ params: { 'Media-ID': id = '' } }) => {
      const { number, businessId } = state
      if (id === number.id)
        return {
          status: 200,
          body: {
            ...{ id, display_phone_number: number.display, verified_name: number.name, quality_rating: 'GREEN' },
            ...{ code_verification_status: 'VERIFIED', name_status: 'APPROVED', messaging_limit_tier: 'TIER_1K' },
          },
        }
      if (id === businessId) return { status: 200, body: { id, name: state.number.name } }
      const media = state.media.get(id)
      if (!media) throw refuseGraph(400, 100, 'There is no such object.')
      const sha256 = createHash('sha256').update(media.bytes).digest('base64')
      return {
        status: 200,
        body: {
          ...{ messaging_product: 'whatsapp', id, mime_type: media.type, sha256, file_size: media.bytes.length },
          url: `${state.origin()}/media-files/${id}`,
        },
      }
    }),
    route('POST', '/{Version}/{Phone-Number-ID}/register', (call) => {
      ofNumber(call)
      const pin = String(fieldsOf(call.body).pin)
      if (state.number.pin !== null && state.number.pin !== pin)
        throw refuseGraph(400, 133005, 'The PIN is not the one that was set before.')
      state.number.pin = pin
      return { status: 200, body: { success: true } }
    }),
    route('GET', profile, (call) => {
      ofNumber(call)
      return { status: 200, body: { data: [{ messaging_product: 'whatsapp', ...state.profile }] } }
    }),
    route('POST', profile, (call) => {
      ofNumber(call)
      const { messaging_product: _, ...changes } = fieldsOf(call.body)
      Object.assign(state.profile, changes)
      return { status: 200, body: { success: true } }
    }),
    route('GET', '/{Version}/{WABA-ID}/phone_numbers', (call) => {
      ofBusiness(call)
      const { id, display, name } = state.number
      const number = {
        ...{ id, display_phone_number: display, verified_name: name, quality_rating: 'GREEN', status: 'LINKED' },
      }
      return { status: 200, body: { data: [number] } }
    }),
    route('GET', apps, (call) => {
      ofBusiness(call)
      const app = { whatsapp_business_api_data: { id: state.appId, name: 'Parley' } }
      return { status: 200, body: { data: state.subscription ? [app] : [] } }
    }),
    route('POST', apps, subscribe),
    route('DELETE', apps, (call) => {
      ofBusiness(call)
      state.subscription = null
      return { status: 200, body: { success: true } }
    }),
    route('GET', templates, (call) => {
      ofBusiness(call)
      const name = one(call.query.name)
      const data = state.templates
        .filter((each) => !name || each.name === name)
        .map(({ quality, ...each }) => ({ ...each, quality_score: { score: quality } }))
      return { status: 200, body: { data } }
    }),
    route('POST', templates, (call) => {
      ofBusiness(call)
      const { name, language, category, components } = fieldsOf(call.body) as Partial<MessageTemplate>
      if (!name || !language || !category || !Array.isArray(components))
        throw refuseGraph(400, 100, 'A field is missing.')
      if (state.templates.some((each) => each.name === name && each.language === language))
        throw refuseGraph(400, 100, `There is a template ${name} in ${language} already.`)
      const template = {
        id: state.random.digits(15),
        name,
        language,
        category,
        components,
        status: 'PENDING',
        quality: 'UNKNOWN',
      } as const
      state.templates.push(template)
      return { status: 200, body: { id: template.id, status: template.status, category } }
    }),
    {
      method: 'GET',
      path: '/media-files/{id}',
      ours: true,
      handle: (call) => {
        const media = state.media.get(call.params.id ?? '')
        if (!media || bearerOf(call) !== state.token) throw new Refusal(refuseAsWhatsapp('notFound'))
        return { status: 200, headers: { 'content-type': media.type }, body: media.bytes }
      },
    },
  ]

  function admit(call: Call, { scopes }: Route): void {
    if (scopes && bearerOf(call) !== state.token) throw new Refusal(refuseAsWhatsapp('unauthorized'))
  }
  return { routes, admit }
}
