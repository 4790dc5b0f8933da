import { sql } from 'kysely'
import type { BotMessage } from '../../../../engine/flow/effects'
import type { ServerContext } from '../../../platform/context'
import type { Work } from '../../../platform/database/database'
import { ApiError } from '../../../platform/errors'
import { type Actor, appendEvent } from '../../../platform/events/defineEvent'
import { WEB } from '../channels/channel'
import type { Outbox } from '../channels/outbox'
import type { ConversationRef } from '../conversations/conversationRef'
import { about, conversationGivenBack, conversationReopened, conversationUnassigned, turnContext } from '../events'
import { appendMessages } from '../messages/appendMessages'
import type { NewMessage } from '../messages/message'
import type { createRuns, RunOptions } from './beginRuns'
import { createMerging } from './merging'
import { createPeopleWrites, wantUnmerged } from './peopleWrites'
import { type Conversation, isDuplicateMessage, lockConversation, tellSeparated } from './rows'
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

/** A team member's answer from the inbox: one message, or several that are said together. */
export interface Answer extends Omit<PersonsMessage, 'content'> {
  contents: readonly [BotMessage, ...BotMessage[]]
  /** the number of the last message that the member has seen */
  seen: number
  /** send it although a colleague has answered meanwhile */
  anyway: boolean
  /** send it although the conversation is closed: it is open again */
  reopen: boolean
  /** closes the conversation with it */
  close: boolean
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

  const { takePart, set, assignTo, closeIn } = createPeopleWrites(clock)

  /** Visitors who wait for a person are told that fewer are before them. */
  async function publishQueue({ project_id }: ConversationRef): Promise<void> {
    const waiting = await db
      .forProject(project_id)
      .selectFrom('conversations')
      .select('id')
      .where('project_id', '=', project_id)
      .where('status', '=', 'waiting')
      .where('environment', 'in', ['production', 'sharing'])
      .where('waiting_since', 'is not', null)
      .orderBy('waiting_since')
      .limit(MOST_TOLD)
      .execute()
    for (const { id } of waiting) updates.publish(id)
  }

  return {
    /** Assigns the conversation to the member; its bot stops at once. @throws ApiError not_found */
    takeOver: async (ref: ConversationRef, userId: string): Promise<void> => {
      await change(ref, (work, row) => assignTo(work, row, userId, { actor: 'user', userId }))
      await publishQueue(ref)
    },

    /** Assigns it to a member, as another one or the system wants. @throws ApiError not_found */
    assign: async (ref: ConversationRef, userId: string, by: Actor): Promise<void> => {
      await change(ref, (work, row) => assignTo(work, row, userId, by))
      await publishQueue(ref)
    },

    /** Takes it from whoever has it: it waits for a person again. @throws ApiError not_found */
    unassign: (ref: ConversationRef, userId: string): Promise<void> =>
      change(ref, async (work, row) => {
        if (row.assignee_id === null) return
        const at = clock()
        const waiting = { status: 'waiting', waiting_since: sql<Date>`coalesce(waiting_since, ${at})` } as const
        await set(work, row)
          .set({ assignee_id: null, updated_at: at, ...(row.status === 'person' && waiting) })
          .execute()
        await appendEvent(work, conversationUnassigned, byPerson(row, userId), about(row))
      }),

    /** Opens a closed conversation again: the member has it, unless somebody has. @throws ApiError not_found */
    reopen: (ref: ConversationRef, userId: string): Promise<void> =>
      change(ref, async (work, row) => {
        wantUnmerged(row)
        if (row.status !== 'closed') return
        await takePart(work, row, userId)
        await set(work, row)
          .set({ status: 'person', assignee_id: row.assignee_id ?? userId, updated_at: clock() })
          .execute()
        await appendEvent(work, conversationReopened, byPerson(row, userId), about(row))
      }),

    /**
     * Adds a member's answer: who answers has the conversation, unless a colleague has it. Sending the same client id
     * again adds no message.
     * @returns the number of its last message
     * @throws ApiError not_found, conversation_closed, colleague_answered
     */
    async answer(ref: ConversationRef, answer: Answer): Promise<number> {
      const { userId, clientId, contents } = answer
      const said = await change(ref, async (work, row) => {
        const known = await numberOf(work, row, clientId)
        if (known !== null) return known
        wantUnmerged(row)
        if (row.status === 'closed' && !answer.reopen) throw new ApiError('conversation_closed')
        if (!answer.anyway && (await hasAnswered(work, row, answer))) throw new ApiError('colleague_answered')
        if (row.status !== 'person' || row.assignee_id === null)
          await assignTo(work, row, userId, { actor: 'user', userId })
        else await takePart(work, row, userId)
        const messages = contents.map((content, at) => ({
          ...({ author: 1, content, blockId: null, senderId: userId } as const),
          // the last one stands for all of them
          ...(at === contents.length - 1 && { clientId }),
        }))
        const stored = (await appendMessages(work, row, messages, clock(), { team_unread: 0 })).at(-1)
        const present = { ...row, status: 'person', assignee_id: row.assignee_id ?? userId } as const
        if (answer.close) await closeIn(work, present, { actor: 'user', userId })
        return stored?.seq ?? row.last_seq
      })
      await publishQueue(ref)
      return said
    },

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
      change(ref, async (work, row) => {
        const bySeparation = messages.some(({ author }) => author === 2) && row.merged_into !== null
        if (bySeparation) await tellSeparated(work, row, turnContext(row, clock(), { actor: 'visitor' }))
        await appendMessages(work, row, messages, clock(), bySeparation ? { merged_into: null } : {})
      }).catch(unlessTwice),

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
        wantUnmerged(row)
        if (row.status === 'bot') return
        const free = { status: 'bot', assignee_id: null, waiting_since: null } as const
        await set(work, row)
          .set({ ...free, updated_at: clock() })
          .execute()
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
      await change(ref, (work, row) => {
        wantUnmerged(row)
        return runs.startRun(work, row, program, next)
      })
      await turns.goOnIfCut(ref)
    },

    /** Closes the conversation for both sides. @throws ApiError not_found */
    close: async (ref: ConversationRef, by: Actor): Promise<void> => {
      await change(ref, (work, row) => closeIn(work, row, by))
      await publishQueue(ref)
    },

    ...createMerging({ db, clock }, { updates, publishQueue }),
  }
}

/** The most waiting visitors that are told of a change of their queue. */
const MOST_TOLD = 50

/** The number of the message with a client's id; null if there is none. */
async function numberOf(work: Work, row: Conversation, clientId: string): Promise<number | null> {
  const known = await work
    .selectFrom('messages')
    .select('seq')
    .where('conversation_id', '=', row.id)
    .where('project_id', '=', row.project_id)
    .where('client_id', '=', clientId)
    .executeTakeFirst()
  return known?.seq ?? null
}

/** Whether another member has said something that this one had not seen. */
async function hasAnswered(work: Work, row: Conversation, { seen, userId }: Answer): Promise<boolean> {
  if (row.last_seq <= seen) return false
  const other = await work
    .selectFrom('messages')
    .select('seq')
    .where('conversation_id', '=', row.id)
    .where('project_id', '=', row.project_id)
    .where('seq', '>', seen)
    .where('sender_id', 'is not', null)
    .where('sender_id', '<>', userId)
    .limit(1)
    .executeTakeFirst()
  return other !== undefined
}

function unlessTwice(error: unknown): void {
  if (!isDuplicateMessage(error)) throw error
}
