import { sql } from 'kysely'
import { z } from 'zod'
import type { InputRequest } from '../../../../engine/flow/conversation'
import { backgroundRetries } from '../../../platform/backoff'
import type { ServerContext } from '../../../platform/context'
import type { ProjectDb } from '../../../platform/database/database'
import { ApiError } from '../../../platform/errors'
import { appendEvent, type EventContext } from '../../../platform/events/defineEvent'
import { defineJob } from '../../../platform/jobs/defineJob'
import type { NewJob } from '../../../platform/jobs/insertJob'
import { HELD_FOR, renewed } from '../../../platform/jobs/renewed'
import type { ConversationRef } from '../conversations/conversationRef'
import { messageResent } from '../events'
import type { Appendable, Stored } from '../messages/message'
import { type Channels, type Delivered, isRead } from './channel'
import { type DeliveryState, noteDeliveries } from './noteDelivery'

/** Sends a conversation's undelivered messages. */
export const deliverMessages = defineJob('deliver-messages', z.strictObject({ conversation: z.string() }), {
  lane: 'sending',
})
/** The most messages of one conversation per execution of its job; then other conversations get their turn. */
const AT_ONCE = 20
const MAX_ERROR = 500

/** The outbox rows for messages of the bot's side, and the job that sends them; null where they are read. */
export function owedFor(
  conversation: Appendable,
  messages: readonly Stored[],
  request: InputRequest | null,
  key: () => string,
): { rows: OwedRow[]; job: NewJob<Delivering> } | null {
  const said = messages.filter(({ author }) => author === 1)
  const last = said.at(-1)
  if (isRead(conversation.channel) || !last) return null
  const { id, project_id } = conversation
  const rows = said.map(({ seq, created_at }) => ({
    key: key(),
    project_id,
    conversation_id: id,
    seq,
    request: seq === last.seq && request ? JSON.stringify(request) : null,
    status: 'due' as const,
    due_at: created_at,
    created_at,
  }))
  return { rows, job: jobOf(conversation, last.created_at) }
}
type Delivering = { conversation: string }
type OwedRow = {
  key: string
  project_id: string
  conversation_id: string
  seq: number
  request: string | null
  status: 'due'
  due_at: Date
  created_at: Date
}

/** One job for each conversation; a new one replaces the previous, which then completes without effect. */
const jobOf = ({ id, project_id }: ConversationRef, runAt: Date): NewJob<Delivering> => ({
  key: id,
  payload: { conversation: id },
  runAt,
  projectId: project_id,
})

/**
 * Sends undelivered messages by conversation, in order: at least once, each with its idempotency key, so that the
 * channel can ignore duplicates. A failed delivery is retried with doubling delays, and given up after ten attempts
 * (`dead`).
 */
export function createOutbox(
  { db, clock, log, jobs }: Pick<ServerContext, 'db' | 'clock' | 'log' | 'jobs'>,
  channels: Channels,
) {
  const job = deliverMessages.handledBy(async ({ conversation }, { projectId }) => {
    if (projectId === null) return undefined
    const ref = { id: conversation, project_id: projectId }
    for (let count = 0; count < AT_ONCE; count++) {
      const next = await claim(db.forProject(projectId), ref, clock())
      if (next === null) return undefined
      if (next instanceof Date) return next
      await settle(
        next,
        await renewed(
          () => keep(next),
          () => attempt(next),
        ),
      )
    }
    return clock()
  })

  const keep = ({ id, project_id, attempts }: Claimed) =>
    db
      .forProject(project_id)
      .updateTable('deliveries')
      .set({ due_at: new Date(clock().getTime() + HELD_FOR) })
      .where('id', '=', id)
      .where('project_id', '=', project_id)
      // another process has it since
      .where('attempts', '=', attempts)
      .where('status', '=', 'due')
      .execute()

  async function attempt({ channel, address, key, content, request, ...row }: Claimed): Promise<Delivered> {
    const adapter = channels.get(channel)
    if (!adapter || address === null) return { outcome: 'refused', reason: `There is no channel '${channel}'.` }
    try {
      const conversation = { id: row.conversation_id, project_id: row.project_id, gid: row.gid }
      return await adapter.deliver({ key, conversation, chatbotId: row.chatbot_id, address, content, request })
    } catch (error) {
      log.warn({ err: error, channel }, 'a message could not be sent')
      return { outcome: 'failed', reason: error instanceof Error ? error.message : String(error) }
    }
  }

  async function settle(claimed: Claimed, delivered: Delivered): Promise<void> {
    const { id, project_id, attempts } = claimed
    const at = clock()
    const row = db
      .forProject(project_id)
      .updateTable('deliveries')
      .where('id', '=', id)
      .where('project_id', '=', project_id)
    if (delivered.outcome === 'sent') {
      await end(claimed, { status: 'sent', external_id: delivered.externalId })
      return
    }
    if (delivered.outcome === 'paced') {
      await row.set({ due_at: delivered.after, attempts: attempts - 1 }).execute()
      return
    }
    const error = delivered.reason.slice(0, MAX_ERROR)
    if (delivered.outcome === 'refused' || attempts >= backgroundRetries.mostAttempts) {
      log.warn({ delivery: id, project: project_id, attempts, reason: error }, 'a message was given up')
      await end(claimed, { status: 'dead', error })
      return
    }
    const next = new Date(at.getTime() + backgroundRetries.waitAfter(attempts))
    const after = delivered.after && delivered.after > next ? delivered.after : next
    await row.set({ due_at: after, error }).execute()
  }

  const end = ({ project_id: projectId, key }: Claimed, state: DeliveryState): Promise<void> =>
    noteDeliveries(db.forProject(projectId), { projectId, at: clock() }, [{ key, state }])

  return {
    job,

    /** Call it after a commit that added undelivered messages. */
    wake: (channel: string): void => {
      if (!isRead(channel)) jobs.wake(undefined, 'sending')
    },

    /** Resends a message whose delivery was given up. @throws ApiError not_found if it was not */
    async retry(ref: ConversationRef & { gid: string }, seq: number, origin: EventContext): Promise<void> {
      await db
        .forProject(ref.project_id)
        .transaction()
        .execute(async (work) => {
          const row = await work
            .updateTable('deliveries')
            .set({ status: 'due', attempts: 0, due_at: clock(), error: null })
            .where('conversation_id', '=', ref.id)
            .where('project_id', '=', ref.project_id)
            .where('seq', '=', seq)
            .where('status', '=', 'dead')
            .returning('id')
            .executeTakeFirst()
          if (!row) throw new ApiError('not_found')
          await jobs.schedule(work, deliverMessages, jobOf(ref, clock()))
          await appendEvent(work, messageResent, origin, { conversation: ref.gid, seq })
        })
      jobs.wake()
    },
  }
}

export type Outbox = ReturnType<typeof createOutbox>

type Claimed = Exclude<Awaited<ReturnType<typeof claim>>, Date | null>

/**
 * The first due message, leased for `HELD_FOR`; a date if it may not be tried before; null if nothing is undelivered.
 * The messages after it wait, so that a visitor reads them in order.
 */
async function claim(own: ProjectDb, { id, project_id }: ConversationRef, now: Date) {
  const row = await own
    .with('first', (one) =>
      one
        .selectFrom('deliveries')
        .select(['id', 'seq', 'due_at'])
        .where('conversation_id', '=', id)
        .where('project_id', '=', project_id)
        .where('status', '=', 'due')
        .orderBy('seq')
        .limit(1)
        .forUpdate(),
    )
    .with('held', (one) =>
      one
        .updateTable('deliveries')
        .set({ due_at: new Date(now.getTime() + HELD_FOR), attempts: sql`deliveries.attempts + 1` })
        .where('project_id', '=', project_id)
        .where('id', '=', ({ selectFrom }) => selectFrom('first').select('id').where('due_at', '<=', now))
        .returning(['id', 'project_id', 'key', 'request', 'attempts', 'conversation_id']),
    )
    .selectFrom('conversations')
    .innerJoin('messages', (join) =>
      join
        .onRef('messages.conversation_id', '=', 'conversations.id')
        .onRef('messages.project_id', '=', 'conversations.project_id'),
    )
    .innerJoin('first', 'first.seq', 'messages.seq')
    .leftJoin('held', 'held.id', 'first.id')
    .select(['conversations.gid', 'channel', 'address', 'chatbot_id', 'messages.content', 'first.due_at'])
    .select(['held.id', 'held.project_id', 'held.key', 'held.request', 'held.attempts', 'held.conversation_id'])
    .where('conversations.id', '=', id)
    .where('conversations.project_id', '=', project_id)
    .executeTakeFirst()
  if (!row) return null
  const { due_at, id: delivery, project_id: project, key, attempts, conversation_id, ...rest } = row
  if (delivery === null || project === null || key === null || attempts === null || conversation_id === null)
    return due_at
  return { ...rest, id: delivery, project_id: project, key, attempts, conversation_id }
}
