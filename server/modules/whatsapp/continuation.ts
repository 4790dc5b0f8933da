import { hashToken } from '../../access/tokens'
import type { ServerContext } from '../../platform/context'
import type { ProjectDb, ProjectWork } from '../../platform/database/database'
import { ApiError } from '../../platform/errors'
import { appendEvent } from '../../platform/events/defineEvent'
import { contactMerged } from '../contacts/events'
import { merge } from '../contacts/merges/merge'
import { WEB } from '../conversations/channels/channel'
import type { ConversationRef } from '../conversations/conversations/conversationRef'
import type { Runtime } from '../conversations/runtime/createRuntime'
import { WHATSAPP } from './channelName'
import type { ConnectionRow } from './connections'
import { makeLink, tellBoth } from './continuationLinks'

/** Letters and digits alone: apps read marks such as _ as formatting. */
const TOKEN = /#([0-9a-f]{32})(?![0-9a-f])/

/** A token in what somebody wrote, and the words without it; null: there is none. */
export function readToken(text: string): { token: string; rest: string } | null {
  const found = TOKEN.exec(text)
  return found?.[1] === undefined ? null : { token: found[1], rest: text.replace(found[0], '').trim() }
}

/** A link that was used: the conversation that goes on, and whether both have one contact now. */
export interface Continued {
  id: string
  web: ConversationRef
}

/**
 * Lets the visitor of a web conversation go on at a chatbot's number: whoever sends the link's message has had the
 * link, and WhatsApp vouches for their number. A token is used by one message, and only its hash is stored.
 */
export function createContinuation(
  context: Pick<ServerContext, 'clock' | 'ids'>,
  runtime: Pick<Runtime, 'people' | 'updates'>,
) {
  const { clock } = context

  /**
   * Uses a token for a message, which may ask again after a crash: their contacts become one in the same transaction.
   * @param whatsappContact of who sent the message
   * @returns null if it is unknown, of another number, expired, or used by another message
   */
  const use = (
    own: ProjectDb,
    connection: Pick<ConnectionRow, 'id' | 'project_id'>,
    { token, wamid, whatsappContact }: { token: string; wamid: string; whatsappContact: string },
  ): Promise<Continued | null> =>
    own.transaction().execute(async (work) => {
      const row = await work
        .selectFrom('whatsapp_continuations')
        .selectAll()
        .where('token_hash', '=', hashToken(token))
        .where('connection_id', '=', connection.id)
        .where('to_web', '=', false)
        .forUpdate()
        .executeTakeFirst()
      if (!row) return null
      const web = { id: row.conversation_id, project_id: connection.project_id }
      if (row.used_by !== null) return row.used_by === wamid ? { id: row.id, web } : null
      if (row.expires_at <= clock()) return null
      const joined = await join(work, web, {
        whatsappContact,
        userId: row.created_by,
        correlation: `continued.${row.id}`,
      })
      await work
        .updateTable('whatsapp_continuations')
        .set({ used_by: wamid, joined })
        .where('id', '=', row.id)
        .execute()
      return { id: row.id, web }
    })

  /** The contact of the web conversation stays; one that has none gets WhatsApp's. @returns false: they stay apart */
  async function join(
    work: ProjectWork,
    web: ConversationRef,
    { whatsappContact, userId, correlation }: { whatsappContact: string; userId: string | null; correlation: string },
  ): Promise<boolean> {
    const { contact_id } = await work
      .selectFrom('conversations')
      .select('contact_id')
      .where('id', '=', web.id)
      .forUpdate()
      .executeTakeFirstOrThrow()
    if (contact_id === whatsappContact) return true
    if (contact_id === null) {
      await work.updateTable('conversations').set({ contact_id: whatsappContact }).where('id', '=', web.id).execute()
      return true
    }
    const both = await work
      .selectFrom('contacts')
      .select(['id', 'gid'])
      .where('id', 'in', [contact_id, whatsappContact])
      .execute()
    const gidOf = (id: string) => both.find((each) => each.id === id)?.gid ?? ''
    const [into, from] = [gidOf(contact_id), gidOf(whatsappContact)]
    const projectId = web.project_id
    try {
      await merge(work, context, { projectId, into, from, take: [], userId })
    } catch (error) {
      // it refuses before it writes
      if (error instanceof ApiError && error.code === 'conflict') return false
      throw error
    }
    const origin = { projectId, by: { actor: 'visitor' }, correlation, at: clock() } as const
    await appendEvent(work, contactMerged, origin, { contact: into, merged: from })
    return true
  }

  /** Both conversations tell of each other, once; whoever has the one on the web has the other as well. */
  async function tell(own: ProjectDb, { id, web }: Continued, address: string): Promise<void> {
    const conversations = own
      .selectFrom('conversations')
      .select(['id', 'gid', 'environment', 'status', 'assignee_id', 'project_id', 'chatbot_id'])
    const from = await conversations.where('id', '=', web.id).executeTakeFirst()
    if (!from) return
    const to = await conversations
      .where('chatbot_id', '=', from.chatbot_id)
      .where('channel', '=', WHATSAPP)
      .where('address', '=', address)
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst()
    if (!to) return
    await tellBoth(own, runtime, {
      ...{ link: id, back: false, now: clock() },
      from: { conversation: from, channel: WEB },
      to: { conversation: to, channel: WHATSAPP },
    })
  }

  return {
    /** Makes a link's message. @param conversation of the web @param userId null: its visitor asked for it */
    async offer(
      work: ProjectWork,
      connection: ConnectionRow,
      conversation: { id: string; chatbot: string },
      userId: string | null,
    ): Promise<{ link: string; expiresAt: Date }> {
      const link = { conversation: conversation.id, userId, toWeb: false, now: clock() }
      const { token, expiresAt } = await makeLink(work, connection, link)
      const text = encodeURIComponent(`${conversation.chatbot} #${token}`)
      return { link: `https://wa.me/${connection.phone_number.replace(/\D/g, '')}?text=${text}`, expiresAt }
    },
    use,
    tell,
  }
}

export type Continuation = ReturnType<typeof createContinuation>
