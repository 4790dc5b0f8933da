import { randomBytes } from 'node:crypto'
import { hashToken } from '../../access/tokens'
import type { ProjectDb, ProjectWork } from '../../platform/database/database'
import { appendEvent } from '../../platform/events/defineEvent'
import { about, conversationContinued } from '../conversations/events'
import type { Conversation, Runtime } from '../conversations/runtime/createRuntime'
import type { ConnectionRow } from './connections'

/** How long a link can be used. */
const VALID = 15 * 60_000

/** What both sides of a continued conversation tell. */
type Side = Pick<Conversation, 'id' | 'gid' | 'project_id' | 'chatbot_id' | 'environment' | 'status' | 'assignee_id'>

/**
 * Makes the token of a link from one channel to another; only its hash is stored.
 * @param conversation the one that goes on
 * @param userId of the member who made it; null: the visitor asked for it
 * @param toWeb whether the link leads to the web, and not to WhatsApp
 * @returns 32 hex digits, and until when they can be used
 */
export async function makeLink(
  work: ProjectWork,
  { id, project_id }: Pick<ConnectionRow, 'id' | 'project_id'>,
  { conversation, userId, toWeb, now }: { conversation: string; userId: string | null; toWeb: boolean; now: Date },
): Promise<{ token: string; expiresAt: Date }> {
  const token = randomBytes(16).toString('hex')
  const expiresAt = new Date(now.getTime() + VALID)
  await work
    .insertInto('whatsapp_continuations')
    .values({
      ...{ project_id, connection_id: id, conversation_id: conversation, token_hash: hashToken(token) },
      ...{ created_by: userId, created_at: now, expires_at: expiresAt, to_web: toWeb },
    })
    .execute()
  return { token, expiresAt }
}

/**
 * Gives the conversation that goes on to whoever has the one before, and lets both tell of each other, once.
 * @param from, to the conversations, with the names of their channels
 * @param back whether it goes back to the web
 */
export async function tellBoth(
  own: ProjectDb,
  runtime: Pick<Runtime, 'people' | 'updates'>,
  { link, from, to, back, now }: { link: string; from: End; to: End; back: boolean; now: Date },
): Promise<void> {
  const { project_id: projectId, status, assignee_id } = from.conversation
  // before it counts as told: after a crash it is done again
  if (status === 'person' && assignee_id !== null && to.conversation.status === 'bot' && !(await isTold(own, link)))
    await runtime.people.assign(to.conversation, assignee_id, { actor: 'system' })
  await own.transaction().execute(async (work) => {
    const row = await work
      .updateTable('whatsapp_continuations')
      .set({ told: true })
      .where('id', '=', link)
      .where('told', '=', false)
      .returning('joined')
      .executeTakeFirst()
    if (!row) return
    const origin = { projectId, by: { actor: 'visitor' }, correlation: `continued.${link}`, at: now } as const
    const both = { joined: row.joined === true, ...(back && { back: true as const }) }
    for (const [one, other] of [
      [from, to],
      [to, from],
    ] as const)
      await appendEvent(work, conversationContinued, origin, {
        ...about(one.conversation),
        ...{ other: other.conversation.gid, at: other.channel, ...both },
      })
  })
  runtime.updates.publish(from.conversation.id)
  runtime.updates.publish(to.conversation.id)
}

/** One end of a link. */
interface End {
  conversation: Side
  channel: string
}

async function isTold(own: ProjectDb, id: string): Promise<boolean> {
  const row = await own.selectFrom('whatsapp_continuations').select('told').where('id', '=', id).executeTakeFirst()
  return row?.told === true
}
