import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { registerRoute } from '../../../access/register'
import * as contract from '../../../contracts/inboxMerges'
import type { ServerContext } from '../../../platform/context'
import type { Db } from '../../../platform/database/database'
import { ApiError, fieldError } from '../../../platform/errors'
import type { Runtime } from '../../conversations/runtime/createRuntime'
import { type FoundConversation, findConversation } from '../findConversation'
import { nameOf } from '../presenter'
import { mergedInto } from './mergedInto'
import { isSameVisitor } from './sameVisitor'

/** Routes that make several conversations of one visitor one, and several again. */
export function registerMerges(
  app: FastifyInstance,
  context: ServerContext,
  { people }: Pick<Runtime, 'people'>,
): void {
  registerRoute(app, context, contract.previewInboxMerge, async ({ caller, params }) => {
    const row = await findConversation(caller.db, caller.project.id, params.conversation)
    return { conversations: await candidatesOf(caller.db, row) }
  })

  registerRoute(app, context, contract.mergeInbox, async ({ caller, params, body }) => {
    const row = await findConversation(caller.db, caller.project.id, params.conversation)
    if (row.merged_into !== null) throw new ApiError('conversation_merged')
    const others = await caller.db
      .selectFrom('conversations')
      .select(['id', 'project_id', 'gid', 'status'])
      .where('gid', 'in', body.conversations)
      .where(isSameVisitor(row))
      .orderBy('id', 'desc')
      .execute()
    if (others.length < new Set(body.conversations).size)
      throw fieldError('conversations', 'This is no conversation of the same visitor, or it is merged already.')
    const own = await caller.db
      .selectFrom('conversations')
      .select(['id', 'project_id', 'gid', 'status'])
      .where('id', '=', row.id)
      .where('project_id', '=', row.project_id)
      .executeTakeFirst()
    if (!own) throw new ApiError('not_found')
    const all = [own, ...others].sort((a, b) => (BigInt(a.id) < BigInt(b.id) ? 1 : -1)) as [typeof own, typeof own]
    const within = await Promise.all(all.map((one) => mergedInto(caller.db, one)))
    if (all.length + within.flat().length > contract.MOST_MERGED)
      throw fieldError('conversations', `At most ${contract.MOST_MERGED} conversations can be one.`)
    const survivor = contract.survivorOf(all)
    await people.merge(all, survivor.id, caller.user.id)
    return { conversation: survivor.gid }
  })

  registerRoute(app, context, contract.separateInbox, async ({ caller, params }) => {
    const row = await findConversation(caller.db, caller.project.id, params.conversation)
    await people.separate(row, caller.user.id)
    return {}
  })
}

/** The conversation and those that it can be merged with, the newest first. */
async function candidatesOf(db: Db, row: FoundConversation): Promise<contract.MergeCandidate[]> {
  const rows = await db
    .selectFrom('conversations')
    .leftJoin('users', 'users.id', 'conversations.assignee_id')
    .leftJoin('messages', (join) =>
      join
        .onRef('messages.conversation_id', '=', 'conversations.id')
        .onRef('messages.project_id', '=', 'conversations.project_id')
        .onRef('messages.seq', '=', 'conversations.last_seq'),
    )
    .select(['conversations.gid', 'conversations.created_at', 'conversations.status', 'conversations.channel'])
    .select(['conversations.last_seq', 'users.first_name', 'users.last_name'])
    .select(sql<string | null>`left(messages.words, 200)`.as('words'))
    .where('conversations.project_id', '=', row.project_id)
    .where((eb) => eb.or([eb('conversations.id', '=', row.id), isSameVisitor(row)(eb)]))
    .orderBy('conversations.id', 'desc')
    .limit(contract.MOST_AT_ONCE + 1)
    .execute()
  return rows.map(({ gid, created_at, status, channel, last_seq, first_name, last_name, words }) => ({
    ...{ gid, at: created_at.toISOString(), status, channel, messages: last_seq },
    ...{ assignee: nameOf(first_name, last_name) || null, last: words ?? '' },
  }))
}
