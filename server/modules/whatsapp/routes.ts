import { timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { ProjectCaller } from '../../access/access'
import { chatbotOf } from '../../access/chatbots'
import { registerRoute } from '../../access/register'
import * as contract from '../../contracts/whatsapp'
import type { ServerContext } from '../../platform/context'
import { ApiError, fieldError } from '../../platform/errors'
import { appendEvent } from '../../platform/events/defineEvent'
import { publishedVersionOf } from '../conversations/chat/publishedVersionOf'
import type { Runtime } from '../conversations/runtime/createRuntime'
import { newVerifyToken, readNumber, subscribe, tryKeys } from './connect'
import type { ConnectionRow, Connections } from './connections'
import { whatsappConnected, whatsappDisconnected, whatsappProfileChanged } from './events'
import { AnswerLost, type Graph } from './graph'
import { GraphError } from './graphError'
import type { WebhookStore } from './storeWebhooks'
import type { Templates } from './templates'

interface Parts {
  connections: Connections
  graph: Graph
  templates: Templates
  runtime: Pick<Runtime, 'links'>
}

/** A chatbot's number at WhatsApp: connecting it, how it is, and what people see of the business. */
export function registerSettings(
  app: FastifyInstance,
  context: ServerContext,
  { connections, graph, templates, runtime }: Parts,
): void {
  const { config, clock, ids } = context

  registerRoute(app, context, contract.readWhatsapp, async ({ caller, params }) => {
    const { id } = await chatbotOf(caller.db, caller.project.id, params.cgid)
    return stateOf(caller, id)
  })

  registerRoute(app, context, contract.connectWhatsapp, async ({ caller, params, body, origin }) => {
    const { db, project, user } = caller
    const { id: chatbotId } = await chatbotOf(db, project.id, params.cgid)
    const taken = await connections.byNumber(body.number_id)
    if (taken && (taken.project_id !== project.id || taken.chatbot_id !== chatbotId))
      throw fieldError('number_id', 'This number is connected with another chatbot. Disconnect it there first.')
    const info = await tryKeys(graph, body)
    const known = await connections.ofChatbot(db, project.id, chatbotId)
    const place = { gid: known?.gid ?? ids(), project_id: project.id }
    const verify = newVerifyToken()
    const keys = { token: body.token, secret: body.app_secret, verify, pin: body.pin }
    const values = {
      ...{ app_id: body.app_id, business_id: body.business_id, number_id: body.number_id },
      ...{ phone_number: info.display_phone_number, verified_name: info.verified_name, quality: info.quality_rating },
      ...{ sealed_keys: connections.seal(place, keys), registered: true, problem: null, checked_at: clock() },
      ...{ connected_by: user.id, connected_at: clock() },
    }
    await db.transaction().execute(async (work) => {
      await work
        .insertInto('whatsapp_connections')
        .values({ ...place, ...values, chatbot_id: chatbotId })
        .onConflict((conflict) => conflict.column('chatbot_id').doUpdateSet(values))
        .execute()
      const phone_number = info.display_phone_number
      await appendEvent(work, whatsappConnected, origin, { chatbot: params.cgid, phone_number })
    })
    const webhook = `${config.publicUrl}/api/whatsapp/${place.gid}/webhook`
    await subscribe(graph, body, webhook, verify).catch(async (error: unknown) => {
      const row = await connections.ofChatbot(db, project.id, chatbotId)
      if (row) await connections.note(row, 'WhatsApp does not send messages here yet. Connect it again.')
      throw error
    })
    // a courtesy: they can be fetched at any time
    const row = await connections.ofChatbot(db, project.id, chatbotId)
    if (row)
      await templates
        .fetch(db, row, body.token)
        .catch((error: unknown) => context.log.info({ err: error }, 'WhatsApp did not give its templates'))
    return stateOf(caller, chatbotId)
  })

  registerRoute(app, context, contract.checkWhatsapp, async ({ caller, params }) => {
    const row = await find(caller, params.cgid)
    const info = await during(row, (token) => readNumber(graph, token, row.number_id))
    if (info)
      await caller.db
        .updateTable('whatsapp_connections')
        .set({
          ...{
            phone_number: info.display_phone_number,
            verified_name: info.verified_name,
            quality: info.quality_rating,
          },
          ...{ problem: null, checked_at: clock() },
        })
        .where('id', '=', row.id)
        .execute()
    return stateOf(caller, row.chatbot_id)
  })

  registerRoute(app, context, contract.disconnectWhatsapp, async ({ caller, params, origin }) => {
    const row = await find(caller, params.cgid)
    await caller.db.transaction().execute(async (work) => {
      await work.deleteFrom('whatsapp_connections').where('id', '=', row.id).execute()
      await appendEvent(work, whatsappDisconnected, origin, { chatbot: params.cgid })
    })
    // afterwards: a WhatsApp that does not answer keeps nobody from disconnecting
    const token = connections.keysOf(row)?.token
    if (token !== undefined)
      await graph
        .remove(token, `${row.business_id}/subscribed_apps`)
        .catch((error: unknown) => context.log.info({ err: error }, 'WhatsApp was not told of the disconnection'))
    return {}
  })

  registerRoute(app, context, contract.readWhatsappProfile, async ({ caller, params }) => {
    const row = await find(caller, params.cgid)
    return { profile: await readProfile(row) }
  })

  registerRoute(app, context, contract.saveWhatsappProfile, async ({ caller, params, body, origin }) => {
    const row = await find(caller, params.cgid)
    const { website, ...texts } = body.profile
    // WhatsApp takes no empty texts: what is not there is left as it is
    const filled = Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== ''))
    await during(row, (token) =>
      graph.post(token, `${row.number_id}/whatsapp_business_profile`, {
        ...{ messaging_product: 'whatsapp', ...filled },
        websites: website === '' ? [] : [website],
      }),
    ).then((answer) => {
      if (answer === null)
        throw new ApiError('unavailable', { message: 'WhatsApp did not take it. Check the connection.' })
    })
    await caller.db
      .transaction()
      .execute((work) => appendEvent(work, whatsappProfileChanged, origin, { chatbot: params.cgid }))
    return { profile: await readProfile(row) }
  })

  async function find({ db, project }: ProjectCaller, cgid: string): Promise<ConnectionRow> {
    const { id } = await chatbotOf(db, project.id, cgid)
    const row = await connections.ofChatbot(db, project.id, id)
    if (!row) throw new ApiError('not_found')
    return row
  }

  /** Calls WhatsApp for a connection; notes why it does not work. @returns null if it does not */
  async function during<Result>(row: ConnectionRow, task: (token: string) => Promise<Result>): Promise<Result | null> {
    try {
      const token = connections.keysOf(row)?.token
      if (token === undefined) throw new GraphError(null, 'reconnect', 'Its values can’t be opened. Connect it again.')
      return await task(token)
    } catch (error) {
      if (!(error instanceof GraphError || error instanceof AnswerLost)) throw error
      await connections.note(row, error.message)
      return null
    }
  }

  async function readProfile(row: ConnectionRow): Promise<contract.WhatsappProfile> {
    const answer = await during(row, (token) =>
      graph.get(token, `${row.number_id}/whatsapp_business_profile?fields=about,address,description,email,websites`),
    )
    if (answer === null)
      throw new ApiError('unavailable', { message: 'WhatsApp does not say what the profile is. Check the connection.' })
    const { data } = z
      .object({ data: z.array(profileSchema) })
      .catch({ data: [] })
      .parse(answer)
    const {
      about = '',
      address = '',
      description = '',
      email = '',
      websites = [],
    } = data[0]?.business_profile ?? data[0] ?? {}
    return { about, address, description, email, website: websites[0] ?? '' }
  }

  async function stateOf({ db, project }: ProjectCaller, chatbotId: string): Promise<contract.WhatsappState> {
    const row = await connections.ofChatbot(db, project.id, chatbotId)
    const versionId = await publishedVersionOf(db, chatbotId)
    const links = versionId === null ? null : await runtime.links({ projectId: project.id, versionId })
    const by =
      row?.connected_by &&
      (await db.selectFrom('users').select('email').where('id', '=', row.connected_by).executeTakeFirst())
    return {
      connection: row
        ? {
            ...{ gid: row.gid, app_id: row.app_id, business_id: row.business_id, number_id: row.number_id },
            ...{ phone_number: row.phone_number, verified_name: row.verified_name, quality: row.quality },
            ...{ registered: row.registered, problem: row.problem, checked_at: row.checked_at.toISOString() },
            ...{ connected_at: row.connected_at.toISOString(), connected_by: by ? by.email : null },
            link: `https://wa.me/${row.phone_number.replace(/\D/g, '')}`,
          }
        : null,
      published: versionId !== null,
      links: links?.texts.map(({ blockId, text }) => ({ trigger: blockId, text })) ?? [],
      example: exampleOf(config.vendors.whatsapp.example),
    }
  }
}

/** WhatsApp's calls of ours: whether the address is ours, and what people wrote. */
export function registerWebhook(
  app: FastifyInstance,
  context: ServerContext,
  { connections, webhooks }: Pick<Parts, 'connections'> & { webhooks: WebhookStore },
): void {
  registerRoute(app, context, contract.verifyWhatsappWebhook, async ({ params, query, reply }) => {
    const row = await connections.byGid(params.connection)
    const verify = row && connections.keysOf(row)?.verify
    if (query['hub.mode'] !== 'subscribe' || !verify || !isSame(query['hub.verify_token'], verify))
      throw new ApiError('forbidden')
    reply.type('text/plain').send(query['hub.challenge'])
    return query['hub.challenge']
  })

  registerRoute(
    app,
    context,
    contract.receiveWhatsappWebhook,
    async ({ params, body }) => {
      // what the route's `bytes` says
      if (!(body instanceof Uint8Array)) throw new ApiError('invalid')
      await webhooks.store({ gid: params.connection, body })
      return {}
    },
    ({ connection }) => webhooks.secretOf(connection),
  )
}

const fieldsOfProfile = {
  about: z.string().max(500).optional().catch(undefined),
  address: z.string().max(500).optional().catch(undefined),
  description: z.string().max(2_000).optional().catch(undefined),
  email: z.string().max(320).optional().catch(undefined),
  websites: z.array(z.string().max(2_000)).optional().catch(undefined),
}
/** Meta's document puts the fields one level deeper than its server has done. */
const profileSchema = z.object({
  ...fieldsOfProfile,
  business_profile: z.object(fieldsOfProfile).optional().catch(undefined),
})

const exampleSchema = z.object({
  ...{ appId: z.string(), appSecret: z.string(), businessId: z.string(), numberId: z.string() },
  ...{ token: z.string(), pin: z.string() },
})

/** What the sandbox sets, as its form has it. */
function exampleOf(text: string | null): contract.WhatsappKeys | null {
  if (text === null) return null
  const { appId, appSecret, businessId, numberId, token, pin } = exampleSchema.parse(JSON.parse(text))
  return { app_id: appId, app_secret: appSecret, business_id: businessId, number_id: numberId, token, pin }
}

/** In constant time. */
function isSame(given: string, wanted: string): boolean {
  const [one, two] = [Buffer.from(given), Buffer.from(wanted)]
  return one.length === two.length && timingSafeEqual(one, two)
}
