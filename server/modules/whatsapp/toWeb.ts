import { hashToken } from '../../access/tokens'
import type { ServerContext } from '../../platform/context'
import type { ProjectDb, ProjectWork } from '../../platform/database/database'
import { ApiError } from '../../platform/errors'
import { WEB } from '../conversations/channels/channel'
import { isBlockedAddress } from '../conversations/chat/blockedVisitors'
import { findPublished, notAvailable } from '../conversations/chat/findPublished'
import type { Runtime } from '../conversations/runtime/createRuntime'
import { availabilityOf } from '../web/availability'
import { WHATSAPP } from './channelName'
import type { ConnectionRow } from './connections'
import { makeLink, tellBoth } from './continuationLinks'

/** What opens the conversation that a link leads to. */
interface Opened {
  conversation: string
  token: string
}

/**
 * Lets somebody at WhatsApp go on on the web: only their phone was sent the link. It is used by one page, and only the
 * hash of its token is stored. The conversation there begins with their contact and with what they have answered.
 */
export function createToWeb(
  context: Pick<ServerContext, 'db' | 'clock'>,
  runtime: Pick<Runtime, 'start' | 'people' | 'updates' | 'namedOf'>,
) {
  const { db, clock } = context

  /** Notes which page uses the link; the same one may ask again. @throws ApiError not_found: it is worth nothing */
  const use = (own: ProjectDb, { chatbotId, token, page }: { chatbotId: string; token: string; page: string }) =>
    own.transaction().execute(async (work) => {
      const link = await work
        .selectFrom('whatsapp_continuations')
        .select(['id', 'conversation_id', 'used_by', 'expires_at'])
        .where('token_hash', '=', hashToken(token))
        .where('to_web', '=', true)
        .forUpdate()
        .executeTakeFirst()
      if (!link || link.expires_at <= clock() || (link.used_by !== null && link.used_by !== page)) throw worthNothing()
      const from = await work
        .selectFrom('conversations')
        .select(['id', 'gid', 'project_id', 'environment', 'status', 'assignee_id', 'contact_id', 'address'])
        .where('id', '=', link.conversation_id)
        .where('chatbot_id', '=', chatbotId)
        .where('channel', '=', WHATSAPP)
        .executeTakeFirst()
      if (!from) throw worthNothing()
      await work
        .updateTable('whatsapp_continuations')
        .set({ used_by: page, joined: true })
        .where('id', '=', link.id)
        .execute()
      return { link, from }
    })

  return {
    /** Makes a link's token. @param conversation at WhatsApp */
    offer: (
      work: ProjectWork,
      connection: Pick<ConnectionRow, 'id' | 'project_id'>,
      conversation: string,
      userId: string,
    ): Promise<{ token: string; expiresAt: Date }> =>
      makeLink(work, connection, { conversation, userId, toWeb: true, now: clock() }),

    /**
     * Opens a link: both conversations tell of each other, and whoever has the one at WhatsApp has that on the web.
     * @param slug of the shared page that was opened
     * @param page chosen by it: when it asks again, it is given the same conversation
     * @throws ApiError not_found, chat_closed, visitor_blocked
     */
    async open(slug: string, { token, page }: { token: string; page: string }): Promise<Opened> {
      const place = await findPublished(context, slug)
      const { state } = availabilityOf(place.web.visibility, clock())
      if (state === 'hidden' || place.lock) throw notAvailable()
      if (state === 'closed') throw new ApiError('chat_closed')
      const { projectId, chatbotId } = place
      const own = db.forProject(projectId)
      const { link, from } = await use(own, { chatbotId, token, page })
      if (await isBlockedAddress(own, { chatbotId, channel: WHATSAPP, address: from.address ?? '' }))
        throw new ApiError('visitor_blocked')
      const { ref, token: opens } = await runtime.start({
        ...place,
        clientId: `from-whatsapp-${link.id}`,
        startedBy: null,
        visitor: { hash: null, visit: null, ...(from.contact_id !== null && { contactId: from.contact_id }) },
        named: await runtime.namedOf(from),
      })
      const to = {
        ...ref,
        chatbot_id: chatbotId,
        environment: place.environment,
        status: 'bot',
        assignee_id: null,
      } as const
      await tellBoth(own, runtime, {
        ...{ link: link.id, back: true, now: clock() },
        from: { conversation: { ...from, chatbot_id: chatbotId }, channel: WHATSAPP },
        to: { conversation: to, channel: WEB },
      })
      return { conversation: ref.gid, token: opens ?? '' }
    },
  }
}

const worthNothing = () => new ApiError('not_found', { message: 'This link was used already, or is too old.' })

export type ToWeb = ReturnType<typeof createToWeb>
