import { messageToString } from '../../../engine/flow/conversationWords'
import { channelCapabilities } from '../../contracts/channels'
import type { ServerContext } from '../../platform/context'
import { OutboundError } from '../../platform/outbound/errors'
import { createOutboundFetch } from '../../platform/outbound/outboundFetch'
import { networksOf } from '../../platform/outbound/projectNetworks'
import type { Channel, Delivered, Owed } from '../conversations/channels/channel'
import { signedHeaders } from '../webhooks/sign'
import type { MessageApis } from './channels'
import type { MessageApiRow } from './tables'

/**
 * The channel's sending half: each message is a call of the program, signed as Standard Webhooks are. Repeated with the
 * same id after a lost answer, so that the program takes it once.
 */
export function createMessageApiChannel(
  context: Pick<ServerContext, 'db' | 'clock' | 'config'>,
  apis: MessageApis,
): Channel {
  const { db, clock, config } = context
  const fetch = createOutboundFetch({ allowed: config.outboundAllow })

  async function deliver(owed: Owed): Promise<Delivered> {
    const projectId = owed.conversation.project_id
    const own = db.forProject(projectId)
    const row = await apis.ofChatbot(own, projectId, owed.chatbotId)
    if (!row) return { outcome: 'refused', reason: 'The message API of the chatbot is off.' }
    const secret = apis.secretOf(row)
    if (secret === null) return { outcome: 'refused', reason: 'Its secret can’t be read: make a new one.' }
    const delivered = await send(row, secret, owed.key, JSON.stringify(bodyOf(owed)))
    const problem = 'reason' in delivered ? delivered.reason : null
    if (problem !== row.problem)
      await own.updateTable('message_api_channels').set({ problem }).where('id', '=', row.id).execute()
    return delivered
  }

  async function send(row: MessageApiRow, secret: string, id: string, body: string): Promise<Delivered> {
    try {
      const { status } = await fetch({
        url: row.url,
        method: 'POST',
        headers: [['content-type', 'application/json'], ...signedHeaders([secret], id, clock(), body)],
        body,
        timeoutMs: 15_000,
        maxBytes: 1_000,
        maxRedirects: 0,
        allowed: await networksOf(context, row.project_id),
      })
      if (status >= 200 && status < 300) return { outcome: 'sent', externalId: null }
      const reason = `The program answered ${status} instead of 2xx.`
      // what it does not want it does not want later either
      const isFinal = status >= 300 && status < 500 && status !== 408 && status !== 425 && status !== 429
      return isFinal ? { outcome: 'refused', reason } : { outcome: 'failed', reason }
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error
      return { outcome: 'failed', reason: error.message }
    }
  }

  function bodyOf({ key, conversation, address, content, request }: Owed) {
    const choices = [
      ...(request && 'options' in request ? request.options : []),
      ...(request && 'quickReplies' in request ? (request.quickReplies ?? []) : []),
    ]
    return {
      ...{ type: 'message', id: key, conversation: conversation.gid, to: address },
      kind: content.kind,
      ...('url' in content ? { text: '', url: absolute(content.url) } : { text: messageToString(content) }),
      question: request && { input: request.input, options: choices.map(({ id, label }) => ({ id, label })) },
    }
  }

  /** Programs fetch files by their whole addresses, also those of this installation. */
  const absolute = (url: string) => (url.startsWith('/') ? config.publicUrl + url : url)

  return {
    capabilities: channelCapabilities.message_api,
    deliver,
    isConnected: async (...chatbot) => (await apis.ofChatbot(...chatbot)) !== undefined,
  }
}
