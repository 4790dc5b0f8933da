import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { StartEvent } from '../../../../engine/flow/conversation'
import type { Visit } from '../../../contracts/chat'
import type { ServerContext } from '../../../platform/context'

const DAY = 24 * 60 * 60 * 1000
/** A visitor's conversations that are looked at for what began in this visit. */
const LOOKED_AT = 100

export interface Visitor {
  hash: Buffer
  visit: string | null
  /** of one whom the site knows, by its signature */
  contactId?: string
}

/** Who comes, as far as the browser tells; the id itself is not kept. */
export const visitorOf = ({ visitor, visit }: Visit): Visitor | null =>
  visitor ? { hash: createHash('sha256').update(visitor).digest(), visit: visit ?? null } : null

/** A visitor whom the site knows: the same on all devices, in one project. */
export const knownVisitorOf = (projectId: string, userId: string, { visit }: Visit): Visitor => ({
  hash: createHash('sha256').update(`user:${projectId}:${userId}`).digest(),
  visit: visit ?? null,
})

/** The same at each visit; 32 letters and digits, within the cap of a user's id. */
export const userIdOf = (visitor: Visitor): string => visitor.hash.toString('hex').slice(0, 32)

/**
 * What triggers are told of a conversation that begins: the page, how long the visitor was away, what began in this
 * visit.
 * @param replaced a conversation that counts as never begun
 */
export async function startEventOf(
  { db, clock }: ServerContext,
  chatbot: { chatbotId: string; projectId: string },
  { url }: Visit,
  visitor: Visitor | null,
  replaced?: string,
): Promise<StartEvent> {
  const page = url === undefined ? {} : { url }
  if (!visitor) return { type: 'start', ...page }
  const before = await db
    .forProject(chatbot.projectId)
    .selectFrom('conversations')
    .leftJoin('turn_records', (join) =>
      join
        .onRef('turn_records.run_id', '=', 'conversations.run_id')
        .onRef('turn_records.project_id', '=', 'conversations.project_id')
        .on('turn_records.turn', '=', 0),
    )
    .select(['conversations.visit', 'conversations.created_at'])
    .select(sql<string | null>`turn_records.trace -> 0 ->> 'blockId'`.as('trigger'))
    .select(({ selectFrom }) =>
      selectFrom('messages')
        .select(({ fn }) => fn.max('messages.created_at').as('at'))
        .whereRef('messages.conversation_id', '=', 'conversations.id')
        .whereRef('messages.project_id', '=', 'conversations.project_id')
        .where('messages.author', '=', 2)
        .as('spoke_at'),
    )
    .where('conversations.project_id', '=', chatbot.projectId)
    .where('conversations.chatbot_id', '=', chatbot.chatbotId)
    .where('conversations.visitor_hash', '=', visitor.hash)
    .$if(replaced !== undefined, (query) => query.where('conversations.id', '!=', replaced ?? ''))
    .orderBy('conversations.id', 'desc')
    .limit(LOOKED_AT)
    .execute()
  const [last] = before
  const begun = before.filter(({ visit }) => visit !== null && visit === visitor.visit).map(({ trigger }) => trigger)
  const seen = last && (last.spoke_at ?? last.created_at)
  return {
    type: 'start',
    ...page,
    ...(seen && { awayDays: Math.max(0, Math.floor((clock().getTime() - seen.getTime()) / DAY)) }),
    ...(begun.length > 0 && { begun: [...new Set(begun.filter((id) => id !== null))] }),
  }
}
