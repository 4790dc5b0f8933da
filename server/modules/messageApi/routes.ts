import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { ProjectCaller } from '../../access/access'
import { chatbotOf } from '../../access/chatbots'
import { registerRoute } from '../../access/register'
import * as contract from '../../contracts/messageApi'
import type { ServerContext } from '../../platform/context'
import { ApiError, fieldError } from '../../platform/errors'
import { appendEvent } from '../../platform/events/defineEvent'
import { networksOf } from '../../platform/outbound/projectNetworks'
import { webAddressProblem } from '../../platform/outbound/webAddress'
import { channelIdentity, verifiedContact } from '../contacts/verifiedContact'
import type { Received } from '../conversations/channels/channel'
import { takeReceived } from '../conversations/channels/receive'
import { publishedVersionOf } from '../conversations/chat/publishedVersionOf'
import type { Runtime } from '../conversations/runtime/createRuntime'
import { MESSAGE_API, type MessageApis } from './channels'
import { messageApiConnected, messageApiDisconnected, messageApiSecretRenewed } from './events'

/** A chatbot's message API: switching it on, and what programs bring. */
export function registerMessageApi(
  app: FastifyInstance,
  context: ServerContext,
  { apis, runtime }: { apis: MessageApis; runtime: Runtime },
): void {
  const { clock, ids, config } = context

  async function find({ db, project }: ProjectCaller, cgid: string) {
    const { id: chatbotId } = await chatbotOf(db, project.id, cgid)
    return { chatbotId, row: await apis.ofChatbot(db, project.id, chatbotId) }
  }

  async function stateOf(caller: ProjectCaller, { pgid, cgid }: { pgid: string; cgid: string }) {
    const { chatbotId, row } = await find(caller, cgid)
    return {
      channel: row ? { url: row.url, problem: row.problem, connected_at: row.connected_at.toISOString() } : null,
      address: config.publicUrl + contract.receiveMessage.path.replace(':pgid', pgid).replace(':cgid', cgid),
      published: (await publishedVersionOf(caller.db, chatbotId)) !== null,
    }
  }

  registerRoute(app, context, contract.readMessageApi, ({ caller, params }) => stateOf(caller, params))

  registerRoute(app, context, contract.saveMessageApi, async ({ caller, params, body, origin }) => {
    const { db, project, user } = caller
    const problem = webAddressProblem(body.url, await networksOf(context, project.id))
    if (problem !== null) throw fieldError('url', problem)
    const { chatbotId, row } = await find(caller, params.cgid)
    const place = { gid: row?.gid ?? ids(), project_id: project.id }
    const made = row ? null : apis.newSecret(place)
    const goesTo = { url: body.url, problem: null }
    const values = { ...place, ...goesTo, chatbot_id: chatbotId, connected_by: user.id, connected_at: clock() }
    await db.transaction().execute(async (work) => {
      await (made
        ? work.insertInto('message_api_channels').values({ ...values, sealed_secret: made.sealed_secret })
        : work.updateTable('message_api_channels').set(goesTo).where('chatbot_id', '=', chatbotId)
      ).execute()
      await appendEvent(work, messageApiConnected, origin, { chatbot: params.cgid, url: body.url })
    })
    return { state: await stateOf(caller, params), secret: made?.secret ?? null }
  })

  registerRoute(app, context, contract.renewMessageApiSecret, async ({ caller, params, origin }) => {
    const { row } = await find(caller, params.cgid)
    if (!row) throw new ApiError('not_found')
    const { secret, sealed_secret } = apis.newSecret(row)
    await caller.db.transaction().execute(async (work) => {
      await work.updateTable('message_api_channels').set({ sealed_secret }).where('id', '=', row.id).execute()
      await appendEvent(work, messageApiSecretRenewed, origin, { chatbot: params.cgid })
    })
    return { secret }
  })

  registerRoute(app, context, contract.removeMessageApi, async ({ caller, params, origin }) => {
    const { row } = await find(caller, params.cgid)
    if (!row) throw new ApiError('not_found')
    await caller.db.transaction().execute(async (work) => {
      await work.deleteFrom('message_api_channels').where('id', '=', row.id).execute()
      await appendEvent(work, messageApiDisconnected, origin, { chatbot: params.cgid })
    })
    return {}
  })

  registerRoute(app, context, contract.receiveMessage, async ({ caller, params, body }) => {
    const { db, project } = caller
    const { chatbotId, row } = await find(caller, params.cgid)
    const versionId = await publishedVersionOf(db, chatbotId)
    if (!row) throw new ApiError('conflict', { message: 'The message API of this chatbot is off. Turn it on first.' })
    if (versionId === null) throw new ApiError('conflict', { message: 'The chatbot has no published flow.' })
    const { from, id, text, choice, name, language } = body
    const named = name === undefined ? {} : { name }
    if (text.trim() === '' && choice === undefined)
      throw fieldError('text', 'Say what the person wrote, or which option they chose')
    // each person's messages are numbered anew, and conversations begin by ids that nobody shares
    const messageId = createHash('sha256')
      .update(JSON.stringify([params.cgid, from, id]))
      .digest('hex')
      .slice(0, 32)
    const received: Received = {
      ...{ address: from, messageId, text: text.trim(), known: name === undefined ? {} : { contact_name: name } },
      ...(choice !== undefined && { choice }),
      ...(language !== undefined && { language }),
      // two chatbots' programs may call different people the same
      contactId: async () => {
        const verifiedId = channelIdentity(MESSAGE_API, `${params.cgid}:${from}`)
        return (await verifiedContact(db, context, { projectId: project.id, chatbotId, verifiedId, known: named })).id
      },
    }
    const chatbot = { projectId: project.id, chatbotId, versionId, environment: 'production' as const }
    await takeReceived(context, runtime, { name: MESSAGE_API, chatbot }, received)
    const found = await db
      .selectFrom('conversations')
      .select('gid')
      .where('project_id', '=', project.id)
      .where('chatbot_id', '=', chatbotId)
      .where('channel', '=', MESSAGE_API)
      .where('address', '=', from)
      .orderBy('id', 'desc')
      .executeTakeFirst()
    return { conversation: found?.gid ?? null }
  })
}
