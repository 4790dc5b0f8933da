import type { FastifyInstance } from 'fastify'
import { chatbotOf } from '../../../access/chatbots'
import { registerRoute } from '../../../access/register'
import { channelNames, readChatbotChannels } from '../../../contracts/channels'
import type { ServerContext } from '../../../platform/context'
import { type Channels, WEB } from './channel'

/** Which channels a chatbot is connected with; editors are warned by what those can show. */
export function registerChannels(app: FastifyInstance, context: ServerContext, channels: Channels): void {
  registerRoute(app, context, readChatbotChannels, async ({ caller: { db, project }, params }) => {
    const { id } = await chatbotOf(db, project.id, params.cgid)
    const connected = await Promise.all(
      channelNames.map(
        async (name) => name === WEB || (await channels.get(name)?.isConnected?.(db, project.id, id)) === true,
      ),
    )
    return { channels: channelNames.filter((_, at) => connected[at]) }
  })
}
