import { createHash } from 'node:crypto'
import { type Call, fieldsOf, many, one, Refusal } from '../call'
import { bearerOf } from '../oauth/tokens'
import type { Route } from '../routes'
import { requireLoopback } from '../webhooks'
import { refuseAsWhatsapp, refuseGraph } from './errors'
import type { Phones } from './phones'
import { createSendMessage } from './sendMessage'
import type { MessageTemplate, WhatsappState } from './state'

/** How long the address of a file works, in ms (sheet of the vendor, "Media"). */
const MEDIA_LIVES_FOR = 5 * 60_000

/** What a business may upload for a profile or a template. */
const UPLOADS: readonly string[] = ['image/jpeg', 'image/png', 'video/mp4', 'application/pdf']

/** @returns the calls of the Graph interface that a business makes, and who may make them */
export function whatsappApi(state: WhatsappState, phones: Phones, limited: boolean) {
  const sendMessage = createSendMessage(state, phones, limited)
  const ofNumber = ({ params }: Call) => {
    const number = state.numbers.find(({ id }) => id === params['Phone-Number-ID'])
    if (!number) throw refuseGraph(400, 100, 'There is no such phone number.')
    return number
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
    route('GET', '/{Version}/{Media-ID}', ({ params: { 'Media-ID': id = '' }, at }) => {
      const { businessId } = state
      const number = state.numbers.find((each) => each.id === id)
      if (number)
        return {
          status: 200,
          body: {
            ...{ id, display_phone_number: number.display, verified_name: number.name, quality_rating: 'GREEN' },
            ...{ code_verification_status: 'VERIFIED', name_status: 'APPROVED' },
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
          url: `${state.origin()}/media-files/${id}?until=${at.getTime() + MEDIA_LIVES_FOR}`,
        },
      }
    }),
    // asked in the name of the app: its secret is what is tried
    {
      method: 'GET',
      path: '/{Version}/debug_token',
      handle: (call) => {
        if (bearerOf(call) !== `${state.appId}|${state.appSecret}`)
          throw refuseGraph(400, 190, 'The app’s id and its secret do not belong together.')
        const isOurs = one(call.query.input_token) === state.token
        const { appId, scopes } = state
        const granular_scopes = scopes.map((scope) => ({ scope, target_ids: [state.businessId] }))
        const ofApp = { app_id: appId, application: 'Parley (sandbox)', is_valid: true, scopes, granular_scopes }
        return { status: 200, body: { data: isOurs ? ofApp : { is_valid: false, scopes: [] } } }
      },
    },
    route('POST', '/{Version}/{App-ID}/uploads', ({ params, query }) => {
      if (params['App-ID'] !== state.appId) throw refuseGraph(400, 100, 'There is no such app.')
      const [type, length] = [one(query.file_type) ?? '', Number(one(query.file_length))]
      if (!UPLOADS.includes(type) || !(length > 0)) throw refuseGraph(400, 100, 'A file of this type is not taken.')
      const id = state.random.text(24)
      state.uploads.set(id, { id, type, bytes: Buffer.alloc(0) })
      return { status: 200, body: { id: `upload:${id}` } }
    }),
    {
      method: 'POST',
      path: '/{Version}/upload:{Upload-ID}',
      handle: ({ params, headers, body }) => {
        // this call alone wants its token in the older way
        if (headers.authorization !== `OAuth ${state.token}`) throw new Refusal(refuseAsWhatsapp('unauthorized'))
        const upload = state.uploads.get(params['Upload-ID'] ?? '')
        if (!upload || headers.file_offset !== '0' || !Buffer.isBuffer(body))
          throw refuseGraph(400, 100, 'There is no such upload.')
        upload.bytes = body
        return { status: 200, body: { h: `4::${upload.id}` } }
      },
    },
    route('POST', '/{Version}/{Phone-Number-ID}/register', (call) => {
      const number = ofNumber(call)
      const pin = String(fieldsOf(call.body).pin)
      if (number.pin !== null && number.pin !== pin)
        throw refuseGraph(400, 133005, 'The PIN is not the one that was set before.')
      number.pin = pin
      return { status: 200, body: { success: true } }
    }),
    route('GET', profile, (call) => {
      ofNumber(call)
      return { status: 200, body: { data: [{ messaging_product: 'whatsapp', ...state.profile }] } }
    }),
    route('POST', profile, (call) => {
      ofNumber(call)
      const { messaging_product: _, profile_picture_handle: handle, ...changes } = fieldsOf(call.body)
      if (handle !== undefined) {
        const upload = state.uploads.get(String(handle).replace('4::', ''))
        if (!upload || upload.bytes.length === 0) throw refuseGraph(400, 100, 'There is no file of this handle.')
        state.profile.profile_picture_url = `${state.origin()}/uploads/${upload.id}`
      }
      Object.assign(state.profile, changes)
      return { status: 200, body: { success: true } }
    }),
    route('GET', '/{Version}/{WABA-ID}/phone_numbers', (call) => {
      ofBusiness(call)
      const data = state.numbers.map(({ id, display, name, tier }) => ({
        ...{ id, display_phone_number: display, verified_name: name, quality_rating: 'GREEN', status: 'LINKED' },
        messaging_limit_tier: tier,
      }))
      return { status: 200, body: { data } }
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
      const heading = components.map(fieldsOf).find(({ type, format }) => type === 'HEADER' && format !== 'TEXT')
      const [handle] = heading ? many(fieldsOf(heading.example).header_handle as string[]) : []
      if (heading && !state.uploads.get(String(handle).replace('4::', ''))?.bytes.length)
        throw refuseGraph(400, 100, 'A heading that is a file needs an example of it.')
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
      path: '/uploads/{id}',
      ours: true,
      handle: ({ params }) => {
        const upload = state.uploads.get(params.id ?? '')
        if (!upload) throw new Refusal(refuseAsWhatsapp('notFound'))
        return { status: 200, headers: { 'content-type': upload.type }, body: upload.bytes }
      },
    },
    {
      method: 'GET',
      path: '/media-files/{id}',
      ours: true,
      handle: (call) => {
        const media = state.media.get(call.params.id ?? '')
        const isOver = Number(one(call.query.until)) < call.at.getTime()
        if (!media || isOver || bearerOf(call) !== state.token) throw new Refusal(refuseAsWhatsapp('notFound'))
        return { status: 200, headers: { 'content-type': media.type }, body: media.bytes }
      },
    },
  ]

  function admit(call: Call, { scopes }: Route): void {
    if (scopes && bearerOf(call) !== state.token) throw new Refusal(refuseAsWhatsapp('unauthorized'))
  }
  return { routes, admit }
}
