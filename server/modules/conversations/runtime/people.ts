import type { BotMessage } from '../../../../engine/flow/effects'
import type { ServerContext } from '../../../platform/context'
import type { Work } from '../../../platform/database/database'
import { ApiError } from '../../../platform/errors'
import { type Actor, appendEvent } from '../../../platform/events/defineEvent'
import { WEB } from '../channels/channel'
import type { Outbox } from '../channels/outbox'
import type { ConversationRef } from '../conversations/conversationRef'
import {
  about,
  conversationAssigned,
  conversationClosed,
  conversationGivenBack,
  runEnded,
  turnContext,
} from '../events'
import { appendMessages } from '../messages/appendMessages'
import type { NewMessage } from '../messages/message'
import type { createRuns, RunOptions } from './beginRuns'
import { type Conversation, isDuplicateMessage, lockConversation, updateRun } from './rows'
import type { Timers } from './timers'
import type { createTurns } from './turns'
import type { Updates } from './updates'

interface Parts {
  runs: ReturnType<typeof createRuns>
  turns: ReturnType<typeof createTurns>
  timers: Timers
  updates: Updates
  outbox: Pick<Outbox, 'wake'>
}

/** A team member's message. Sending the same client id again adds no message. */
export interface PersonsMessage {
  userId: string
  clientId: string
  content: BotMessage
}

/**
 * What team members do in a visitor's conversation. While a person has it (status `person`), its run is suspended:
 * visitors' messages are only appended, timers do nothing, and a turn waiting for an external call writes nothing when
 * the call returns.
 */
export function createPeople(
  { db, clock }: Pick<ServerContext, 'db' | 'clock'>,
  { runs, turns, timers, updates, outbox }: Parts,
) {
  /** Changes the locked conversation and notifies subscribers. @throws ApiError not_found */
  async function change<Result>(
    ref: ConversationRef,
    task: (work: Work, row: Conversation) => Promise<Result>,
  ): Promise<Result> {
    let channel: string = WEB
    const result = await db
      .forProject(ref.project_id)
      .transaction()
      .execute(async (work) => {
        const row = await lockConversation(work, ref)
        if (!row) throw new ApiError('not_found')
        channel = row.channel
        return task(work, row)
      })
    updates.publish(ref.id)
    outbox.wake(channel)
    return result
  }

  const byPerson = (row: Conversation, userId: string) => turnContext(row, clock(), { actor: 'user', userId })

  const takePart = (work: Work, { id, project_id }: Conversation, userId: string) =>
    work
      .insertInto('participants')
      .values({ conversation_id: id, project_id, user_id: userId, joined_at: clock() })
      .onConflict((conflict) => conflict.doNothing())
      .execute()

  const set = (work: Work, { id, project_id }: ConversationRef) =>
    work.updateTable('conversations').where('id', '=', id).where('project_id', '=', project_id)

  return {
    /** Assigns the conversation to the member; its bot stops at once. @throws ApiError not_found */
    takeOver: (ref: ConversationRef, userId: string): Promise<void> =>
      change(ref, async (work, row) => {
        await takePart(work, row, userId)
        await set(work, row).set({ status: 'person', assignee_id: userId, updated_at: clock() }).execute()
        await appendEvent(work, conversationAssigned, byPerson(row, userId), { ...about(row), user: userId })
      }),

    /**
     * Adds a member's message, on the bot's side (SPEC.md 3: author 1). @throws ApiError not_found; conflict when the
     * conversation is closed
     */
    async say(ref: ConversationRef, { userId, clientId, content }: PersonsMessage): Promise<void> {
      await change(ref, async (work, row) => {
        if (row.status === 'closed') throw new ApiError('conflict', { message: 'The conversation has ended.' })
        await takePart(work, row, userId)
        await appendMessages(work, row, [{ author: 1, content, blockId: null, senderId: userId, clientId }], clock())
        await set(work, row).set({ team_unread: 0 }).execute()
      }).catch(unlessTwice)
    },

    /**
     * Appends messages that are not part of a run, for any module; skips a message whose client id exists. A caller
     * that has locked the conversation in its own transaction calls `appendMessages` there. @throws ApiError not_found
     */
    append: (ref: ConversationRef, messages: readonly NewMessage[]): Promise<void> =>
      change(ref, async (work, row) => void (await appendMessages(work, row, messages, clock()))).catch(unlessTwice),

    /** Marks the messages so far as read by one side. Does nothing if the conversation does not exist. */
    async see({ id, project_id }: ConversationRef, side: 'team' | 'visitor'): Promise<void> {
      await db
        .forProject(project_id)
        .updateTable('conversations')
        .set({ [`${side}_unread` as const]: 0 })
        .where('id', '=', id)
        .where('project_id', '=', project_id)
        .execute()
    },

    /**
     * Returns the conversation to the bot: its run continues where it was. If that run has ended or had handed the
     * conversation over to people, another run starts on the given version. @throws ApiError not_found
     */
    async giveBack(ref: ConversationRef, userId: string, next: RunOptions): Promise<void> {
      const program = await turns.program(ref, next.versionId)
      await change(ref, async (work, row) => {
        if (row.status === 'bot') return
        await set(work, row).set({ status: 'bot', assignee_id: null, updated_at: clock() }).execute()
        await appendEvent(work, conversationGivenBack, byPerson(row, userId), about(row))
        if (row.state === 'ended' || row.session.open) return runs.startRun(work, row, program, next)
        // its timer ran out while suspended: the time is counted from now
        await timers.set(work, { ...row, turns: row.turns - 1 }, row.session.request)
      })
      await turns.goOnIfCut(ref)
    },

    /** Starts another run in the conversation: the previous run's question is dropped. @throws ApiError not_found */
    async restart(ref: ConversationRef, next: RunOptions): Promise<void> {
      const program = await turns.program(ref, next.versionId)
      await change(ref, (work, row) => runs.startRun(work, row, program, next))
      await turns.goOnIfCut(ref)
    },

    /** Closes the conversation for both sides. @throws ApiError not_found */
    close: (ref: ConversationRef, by: Actor): Promise<void> =>
      change(ref, async (work, row) => {
        await updateRun(work, row, { state: 'ended', pending: null }).execute()
        await set(work, row).set({ status: 'closed', team_unread: 0, updated_at: clock() }).execute()
        if (row.status === 'closed') return
        const context = turnContext(row, clock(), by)
        if (row.state !== 'ended') await appendEvent(work, runEnded, context, { ...about(row), run: row.number })
        await appendEvent(work, conversationClosed, context, about(row))
      }),
  }
}

function unlessTwice(error: unknown): void {
  if (!isDuplicateMessage(error)) throw error
}
