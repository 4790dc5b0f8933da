import { plainRichText } from '../../../engine/values/richText'
import { hashToken } from '../../access/tokens'
import type { ServerContext } from '../../platform/context'
import type { ProjectDb } from '../../platform/database/database'
import { ApiError } from '../../platform/errors'
import { appendEvent, type EventContext } from '../../platform/events/defineEvent'
import { chatUrlOf } from '../../platform/http/chatOrigin'
import { WEB } from '../conversations/channels/channel'
import { isBlockedAddress } from '../conversations/chat/blockedVisitors'
import { findPublished, notAvailable } from '../conversations/chat/findPublished'
import type { ConversationRef } from '../conversations/conversations/conversationRef'
import type { Runtime } from '../conversations/runtime/createRuntime'
import { availabilityOf } from '../web/availability'
import { WHATSAPP } from './channelName'
import type { ConnectionRow } from './connections'
import { makeLink, tellBoth } from './continuationLinks'
import { whatsappOffered } from './events'
import { webAnswer } from './webCommand'

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
  context: Pick<ServerContext, 'db' | 'clock' | 'config' | 'limits'>,
  runtime: Pick<Runtime, 'start' | 'people' | 'updates' | 'namedOf'>,
) {
  const { db, clock, config, limits } = context
  const linksOf = limits.attempts('links to the web of a conversation', LINKS)

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

  /**
   * Makes a link for somebody at WhatsApp. @param conversation there, with its chatbot
   * @throws ApiError conflict: the chatbot’s page is not open to everybody
   */
  async function offer(
    own: ProjectDb,
    connection: Pick<ConnectionRow, 'id' | 'project_id'>,
    { id, gid, slug, chatbot }: { id: string; gid: string; slug: string; chatbot: string },
    { userId, origin }: { userId: string | null; origin: EventContext },
  ): Promise<{ link: string; expiresAt: Date }> {
    const isOpen = await findPublished(context, slug).then(
      ({ web, lock }) => !lock && availabilityOf(web.visibility, clock()).state === 'open',
      unlessRefused,
    )
    if (!isOpen) throw new ApiError('conflict', { message: 'The chatbot’s page is not open to everybody.' })
    const { token, expiresAt } = await own.transaction().execute(async (work) => {
      await appendEvent(work, whatsappOffered, origin, { chatbot, conversation: gid })
      return makeLink(work, connection, { conversation: id, userId, toWeb: true, now: clock() })
    })
    return { link: `${chatUrlOf(config)}/c/${slug}#whatsapp=${token}`, expiresAt }
  }

  return {
    offer,

    /**
     * Answers somebody at WhatsApp who asks for a link to the web (`/web`). @param messageId of what they wrote: sent
     * again, it is answered once
     */
    async answer(
      own: ProjectDb,
      connection: Pick<ConnectionRow, 'id' | 'project_id'>,
      ref: ConversationRef,
      { messageId, text }: { messageId: string; text: string },
    ): Promise<void> {
      const row = await own
        .selectFrom('conversations')
        .innerJoin('chatbots', 'chatbots.id', 'conversations.chatbot_id')
        .select(['conversations.gid', 'conversations.language', 'chatbots.slug', 'chatbots.gid as chatbot'])
        .where('conversations.id', '=', ref.id)
        .executeTakeFirstOrThrow()
      const by = { actor: 'visitor' } as const
      const origin = { projectId: ref.project_id, by, correlation: row.gid, at: clock() }
      const offered = await linksOf
        .take(ref.id)
        .then(() => offer(own, connection, { ...row, id: ref.id }, { userId: null, origin }))
        .catch(unlessRefused)
      const said = (words: string) => ({ kind: 'text' as const, text: plainRichText(words) })
      await runtime.people.append(ref, [
        { author: 2, content: said(text), clientId: messageId, ownWords: false },
        { author: 1, content: said(webAnswer(row.language, offered?.link ?? null)), blockId: null },
      ])
    },

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

/** Links that one conversation's visitor may ask for in a minute. */
const LINKS = 10

/** @throws what is no refusal */
const unlessRefused = (error: unknown): null => {
  if (!(error instanceof ApiError)) throw error
  return null
}

const worthNothing = () => new ApiError('not_found', { message: 'This link was used already, or is too old.' })

export type ToWeb = ReturnType<typeof createToWeb>
