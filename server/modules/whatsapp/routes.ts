import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { ProjectCaller } from '../../access/access'
import { chatbotOf } from '../../access/chatbots'
import { registerRoute } from '../../access/register'
import * as contract from '../../contracts/whatsapp'
import type { ServerContext } from '../../platform/context'
import { appendEvent } from '../../platform/events/defineEvent'
import { publishedVersionOf } from '../conversations/chat/publishedVersionOf'
import type { Runtime } from '../conversations/runtime/createRuntime'
import type { CheckNumber } from './checkNumber'
import { readNumber, tryApp, tryNumber, tryPin } from './connect'
import type { Connections } from './connections'
import type { ConnectNumber } from './connectNumber'
import { whatsappDisconnected } from './events'
import type { Graph } from './graph'
import { versionState } from './graphVersions'
import type { NumberOf } from './numberOf'
import type { Signup } from './signup'

interface Parts {
  connections: Connections
  graph: Graph
  numbers: NumberOf
  connectNumber: ConnectNumber
  checkNumber: CheckNumber
  signup: Pick<Signup, 'isOffered'>
  runtime: Pick<Runtime, 'links'>
}

/** A chatbot's number at WhatsApp: connecting it, and how it is. */
export function registerSettings(
  app: FastifyInstance,
  context: ServerContext,
  { connections, graph, numbers: { find, during }, connectNumber, checkNumber, signup, runtime }: Parts,
): void {
  const { config, clock } = context

  registerRoute(app, context, contract.readWhatsapp, async ({ caller, params }) => {
    const { id } = await chatbotOf(caller.db, caller.project.id, params.cgid)
    return stateOf(caller, id)
  })

  registerRoute(app, context, contract.connectWhatsapp, async ({ caller, params, body, origin }) => {
    const { db, project } = caller
    const { id: chatbotId } = await chatbotOf(db, project.id, params.cgid)
    await connectNumber(caller, { cgid: params.cgid, chatbotId }, body, origin)
    return stateOf(caller, chatbotId)
  })

  registerRoute(app, context, contract.tryWhatsapp, async ({ caller: { db, project }, params, body }) => {
    await chatbotOf(db, project.id, params.cgid)
    if (body.step === 'app') return { found: await tryApp(graph, body) }
    if (body.step === 'pin') {
      const { display_phone_number } = await readNumber(graph, body.token, body.number_id).catch(() => ({
        display_phone_number: body.number_id,
      }))
      await tryPin(graph, body)
      return { found: display_phone_number }
    }
    const { display_phone_number, verified_name } = await tryNumber(graph, body)
    return { found: [display_phone_number, verified_name].filter(Boolean).join(' · ') }
  })

  registerRoute(app, context, contract.checkWhatsapp, async ({ caller, params }) => {
    const row = await find(caller, params.cgid)
    const known = await during(row, (token) => checkNumber.ask(row, token))
    if (known) await checkNumber.note(row, known)
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
            ...{ tier: row.tier, heard_at: row.heard_at?.toISOString() ?? null },
            status_id: row.problem === null ? 1 : 2,
            ...{ registered: row.registered, problem: row.problem, checked_at: row.checked_at.toISOString() },
            ...{ connected_at: row.connected_at.toISOString(), connected_by: by ? by.email : null },
            link: `https://wa.me/${row.phone_number.replace(/\D/g, '')}`,
          }
        : null,
      graph: versionState(config.vendors.whatsapp.version, clock()),
      signup: signup.isOffered(),
      published: versionId !== null,
      links: links?.texts.map(({ blockId, text }) => ({ trigger: blockId, text })) ?? [],
      example: await exampleOf(config.vendors.whatsapp.example, chatbotId),
    }
  }

  /** What the sandbox sets, as its form has it, with a number that no other chatbot has. */
  async function exampleOf(text: string | null, chatbotId: string): Promise<contract.WhatsappKeys | null> {
    if (text === null) return null
    const { appId, appSecret, businessId, numberIds, token, pin } = exampleSchema.parse(JSON.parse(text))
    const keys = { app_id: appId, app_secret: appSecret, business_id: businessId, token, pin }
    for (const id of numberIds) {
      const taken = await connections.byNumber(id)
      if (!taken || taken.chatbot_id === chatbotId) return { ...keys, number_id: id }
    }
    return { ...keys, number_id: numberIds[0] ?? '' }
  }
}

const exampleSchema = z.object({
  ...{ appId: z.string(), appSecret: z.string(), businessId: z.string(), numberIds: z.array(z.string()) },
  ...{ token: z.string(), pin: z.string() },
})
