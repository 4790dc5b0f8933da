import type { FastifyInstance } from 'fastify'
import { chatbotOf } from '../../../access/chatbots'
import { registerRoute } from '../../../access/register'
import { channelNames, readChatbotChannels } from '../../../contracts/channels'
import { platforms } from '../../../contracts/chatbots'
import type { ServerContext } from '../../../platform/context'
import { type Channels, WEB } from './channel'

/** PRODUCT.md, "Services": the one of platform 2. */
const MESSAGING_APP = 'whatsapp'

/** Which channels a chatbot is connected with; editors are warned by what those can show. */
export function registerChannels(app: FastifyInstance, context: ServerContext, channels: Channels): void {
  registerRoute(app, context, readChatbotChannels, async ({ caller: { db, project }, params }) => {
    const { id, platform_id } = await chatbotOf(db, project.id, params.cgid)
    const connected = await Promise.all(
      channelNames.map(
        async (name) => name === WEB || (await channels.get(name)?.isConnected?.(db, project.id, id)) === true,
      ),
    )
    const isMessaging = platform_id === platforms.messaging
    return {
      channels: channelNames.filter((_, at) => connected[at]),
      planned: channelNames.filter((name, at) => name === MESSAGING_APP && isMessaging && !connected[at]),
    }
  })
}
