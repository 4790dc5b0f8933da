import type { ProjectCaller } from '../../access/access'
import type { WhatsappKeys } from '../../contracts/whatsapp'
import type { ServerContext } from '../../platform/context'
import { fieldError } from '../../platform/errors'
import { appendEvent, type EventContext } from '../../platform/events/defineEvent'
import { newVerifyToken, readTier, subscribe, tryKeys } from './connect'
import { type Connections, NOT_HEARD } from './connections'
import { whatsappConnected } from './events'
import type { Graph } from './graph'
import type { Templates } from './templates'

interface Parts {
  connections: Connections
  graph: Graph
  templates: Templates
}

/** Makes what connects a chatbot with a number, whoever has filled in its values. */
export function createConnectNumber(context: ServerContext, { connections, graph, templates }: Parts) {
  const { config, clock, ids } = context

  /**
   * Tries the values at WhatsApp, registers the number, keeps it, and has its webhooks sent here.
   * @throws ApiError invalid, at the field that is wrong
   */
  return async (
    { db, project, user }: ProjectCaller,
    { cgid, chatbotId }: { cgid: string; chatbotId: string },
    given: WhatsappKeys,
    origin: EventContext,
  ): Promise<void> => {
    const taken = await connections.byNumber(given.number_id)
    if (taken && (taken.project_id !== project.id || taken.chatbot_id !== chatbotId))
      throw fieldError('number_id', 'This number is connected with another chatbot. Disconnect it there first.')
    const info = await tryKeys(graph, given)
    const tier = await readTier(graph, given.token, given.business_id, given.number_id)
    const known = await connections.ofChatbot(db, project.id, chatbotId)
    const place = { gid: known?.gid ?? ids(), project_id: project.id }
    const verify = newVerifyToken()
    const keys = { token: given.token, secret: given.app_secret, verify, pin: given.pin }
    const values = {
      ...{ app_id: given.app_id, business_id: given.business_id, number_id: given.number_id },
      ...{ phone_number: info.display_phone_number, verified_name: info.verified_name, quality: info.quality_rating },
      ...{ tier, heard_at: null },
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
      await appendEvent(work, whatsappConnected, origin, { chatbot: cgid, phone_number })
    })
    const webhook = `${config.publicUrl}/api/whatsapp/${place.gid}/webhook`
    await subscribe(graph, given, webhook, verify).catch(async (error: unknown) => {
      const row = await connections.ofChatbot(db, project.id, chatbotId)
      if (row) await connections.note(row, NOT_HEARD)
      throw error
    })
    // a courtesy: they can be fetched at any time
    const row = await connections.ofChatbot(db, project.id, chatbotId)
    if (row)
      await templates
        .fetch(db, row, given.token)
        .catch((error: unknown) => context.log.info({ err: error }, 'WhatsApp did not give its templates'))
  }
}
export type ConnectNumber = ReturnType<typeof createConnectNumber>
