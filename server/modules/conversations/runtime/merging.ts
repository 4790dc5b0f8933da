import { sql } from 'kysely'
import { UNDO_DAYS } from '../../../contracts/inboxMerges'
import type { ServerContext } from '../../../platform/context'
import type { Work } from '../../../platform/database/database'
import { ApiError } from '../../../platform/errors'
import { appendEvent } from '../../../platform/events/defineEvent'
import type { ConversationRef } from '../conversations/conversationRef'
import { about, conversationHandedOver, conversationMerged, conversationReopened, turnContext } from '../events'
import { createPeopleWrites, wantUnmerged } from './peopleWrites'
import { type Conversation, lockConversation, tellSeparated } from './rows'
import type { Updates } from './updates'

const DAY = 24 * 3_600_000

interface Parts {
  updates: Updates
  publishQueue: (ref: ConversationRef) => Promise<void>
}

/**
 * Several conversations of one visitor as one. A merged one is closed and names the survivor; its messages stay its
 * own, and are read together with the survivor's.
 */
export function createMerging({ db, clock }: Pick<ServerContext, 'db' | 'clock'>, { updates, publishQueue }: Parts) {
  const { set, assignTo, closeIn } = createPeopleWrites(clock)

  /** What the survivor takes over of one: who has it, that its visitor waits, what nobody has read. */
  async function takeOverState(work: Work, survivor: Conversation, row: Conversation): Promise<void> {
    if (row.status === 'closed' || survivor.status === 'closed') return
    const { id, project_id } = survivor
    const [own] = await work
      .selectFrom('conversations')
      .select(['waiting_since', 'team_unread'])
      .where('id', '=', row.id)
      .where('project_id', '=', project_id)
      .execute()
    const at = clock()
    const waits = own?.waiting_since ?? null
    const present = await work
      .selectFrom('conversations')
      .select(['status', 'assignee_id'])
      .where('id', '=', id)
      .where('project_id', '=', project_id)
      .executeTakeFirstOrThrow()
    const by = { actor: 'system' } as const
    if (row.status === 'person' && row.assignee_id !== null && present.assignee_id === null)
      await assignTo(work, { ...survivor, ...present }, row.assignee_id, by)
    else if (row.status !== 'bot' && present.status === 'bot') {
      await set(work, survivor).set({ status: 'waiting' }).execute()
      await appendEvent(work, conversationHandedOver, turnContext(survivor, at, by), about(survivor))
    }
    await set(work, survivor)
      .set({
        team_unread: sql<number>`team_unread + ${own?.team_unread ?? 0}`,
        waiting_since: sql<Date | null>`least(waiting_since, ${waits}::timestamptz)`,
        snoozed_until: null,
        updated_at: at,
      })
      .execute()
  }

  return {
    /**
     * Merges conversations of one project, of which the caller knows that they are one visitor's, into the survivor.
     * The bot stops in those that are open. @throws ApiError not_found; conversation_merged for one that is merged
     */
    async merge(refs: readonly ConversationRef[], survivorId: string, userId: string): Promise<void> {
      const [first] = refs
      if (!first) return
      await db
        .forProject(first.project_id)
        .transaction()
        .execute(async (work) => {
          const rows: Conversation[] = []
          // in one order, so that two merges don't wait for each other
          for (const ref of [...refs].sort((a, b) => (BigInt(a.id) < BigInt(b.id) ? -1 : 1))) {
            const row = await lockConversation(work, ref)
            if (!row) throw new ApiError('not_found')
            wantUnmerged(row)
            rows.push(row)
          }
          const survivor = rows.find(({ id }) => id === survivorId)
          if (!survivor) throw new ApiError('not_found')
          for (const row of rows.filter((one) => one !== survivor)) {
            const was = { was_open: row.status !== 'closed', assignee_id: row.assignee_id }
            const merged = { ...was, merged_by: userId, merged_at: clock() }
            await takeOverState(work, survivor, row)
            if (row.status !== 'closed') await closeIn(work, row, { actor: 'user', userId })
            await set(work, row).set({ merged_into: survivor.id }).execute()
            await work
              .insertInto('conversation_merges')
              .values({ conversation_id: row.id, project_id: row.project_id, ...merged })
              .onConflict((conflict) => conflict.column('conversation_id').doUpdateSet(merged))
              .execute()
            const context = turnContext(row, clock(), { actor: 'user', userId })
            await appendEvent(work, conversationMerged, context, { ...about(row), into: survivor.gid })
          }
        })
      for (const { id } of refs) updates.publish(id)
      await publishQueue(first)
    },

    /**
     * Undoes the merge of one conversation, which is open again if it was, with who had it: its flow is over. @throws
     * ApiError not_found; conflict after `UNDO_DAYS`
     */
    async separate(ref: ConversationRef, userId: string): Promise<void> {
      await db
        .forProject(ref.project_id)
        .transaction()
        .execute(async (work) => {
          const row = await lockConversation(work, ref)
          if (!row) throw new ApiError('not_found')
          if (row.merged_into === null) return
          const was = await work
            .selectFrom('conversation_merges')
            .select(['was_open', 'assignee_id', 'merged_at'])
            .where('conversation_id', '=', row.id)
            .where('project_id', '=', row.project_id)
            .executeTakeFirst()
          const at = clock()
          const isMember =
            was?.assignee_id != null &&
            (await work
              .selectFrom('project_members')
              .select('user_id')
              .where('project_id', '=', row.project_id)
              .where('user_id', '=', was.assignee_id)
              .executeTakeFirst()) !== undefined
          if (!was || at.getTime() - was.merged_at.getTime() > UNDO_DAYS * DAY)
            throw new ApiError('conflict', { message: `A merge can be undone for ${UNDO_DAYS} days.` })
          const context = turnContext(row, at, { actor: 'user', userId })
          await tellSeparated(work, row, context)
          await set(work, row)
            .set({
              merged_into: null,
              updated_at: at,
              ...(was.was_open && { status: 'person' as const, assignee_id: isMember ? was.assignee_id : null }),
            })
            .execute()
          if (was.was_open) await appendEvent(work, conversationReopened, context, about(row))
        })
      updates.publish(ref.id)
    },
  }
}
