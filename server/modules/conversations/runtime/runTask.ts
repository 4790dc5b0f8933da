import type { ServerContext } from '../../../platform/context'
import type { Work } from '../../../platform/database/database'
import { ApiError } from '../../../platform/errors'
import type { GatePlace } from '../../../platform/http/admission'
import { startWatch, type TurnKind } from '../../../platform/metrics/createMetrics'
import { inSpan } from '../../../platform/tracing/spans'
import { WEB } from '../channels/channel'
import type { Outbox } from '../channels/outbox'
import type { ConversationRef } from '../conversations/conversationRef'
import type { Calls } from './calls'
import type { Ownership } from './ownership'
import type { createPrograms } from './programs'
import { type Conversation, finishEffect, lockConversation } from './rows'
import type { Timers } from './timers'
import type { Ended, Outcome, Task, TurnTasks } from './turnTasks'
import type { Updates } from './updates'

interface Parts {
  programs: ReturnType<typeof createPrograms>
  ownership: Ownership
  calls: Calls
  tasks: Pick<TurnTasks, 'answer'>
  updates: Pick<Updates, 'publish'>
  timers: Pick<Timers, 'wake'>
  outbox: Pick<Outbox, 'wake'>
}

/** How a conversation's row is locked. It throws to refuse the task. */
export type Lock = (work: Work) => Promise<Conversation | undefined>

/**
 * Runs `task` on a conversation's locked row, then the calls and threads it requests. @throws ApiError not_found
 * @param lock locks the row for the task, where its caller is checked with it; what follows calls is not refused
 */
export type RunTask = (ref: ConversationRef, task: Task, place?: GatePlace, lock?: Lock) => Promise<Ended>

/**
 * Runs tasks on conversations. Each half of a turn is one transaction; between them, external calls and CPU-heavy work
 * hold neither a connection nor a lock. `place` is a place of the gate, which is given to others meanwhile.
 */
export function createRunTask(
  { db, metrics }: Pick<ServerContext, 'db' | 'metrics'>,
  { programs, ownership, calls, tasks, updates, timers, outbox }: Parts,
): RunTask {
  const run: RunTask = async (ref, begin, place, firstLock) => {
    const seconds = startWatch()
    let kind: TurnKind = 'plain'
    let channel: string = WEB
    const anyLock: Lock = (work) => lockConversation(work, ref)
    const locked = async (task: Task, lock = anyLock): Promise<Outcome> => {
      for (;;) {
        const outcome = await db.transaction().execute(async (work) => {
          const row = await lock(work)
          if (!row) throw new ApiError('not_found')
          channel = row.channel
          const program = programs.present(ref.project_id, row.flow_version_id)
          return program ? task(work, row, program) : { lacks: row.flow_version_id }
        })
        if (typeof outcome === 'string' || !('lacks' in outcome)) return outcome
        await programs.get(ref.project_id, outcome.lacks)
      }
    }

    await ownership.ready()
    let outcome: Outcome
    try {
      outcome = await locked(begin, firstLock)
      while (typeof outcome !== 'string' && !('messages' in outcome)) {
        if ('heavy' in outcome) {
          if (kind === 'plain') kind = 'thread'
          const { heavy, row: before, goOn, again = begin }: Exclude<typeof outcome, { call: unknown }> = outcome
          const step = await heavy.inThread()
          outcome = await locked((work, row, program) =>
            isUntouched(row, before) ? goOn(work, row, step) : again(work, row, program),
          )
          continue
        }
        const calling: Exclude<typeof outcome, { heavy: unknown }> = outcome
        const { machine, call, row: parked } = calling
        kind = 'call'
        const called = performance.now()
        const result = await calls.make(call, parked, place)
        machine.took[call.position] = Math.round(performance.now() - called)
        // In a statement of its own: whatever happens to the rest of the turn, this call is not made again.
        await finishEffect(db, parked, call.position, JSON.stringify(result))
        outcome = await locked((work, row) => tasks.answer(work, row, calling, result))
      }
    } finally {
      await ownership.release(ref.id)
    }
    if (outcome !== 'busy') updates.publish(ref.id)
    outbox.wake(channel)
    if (typeof outcome === 'string') return outcome
    timers.wake(outcome.session.request)
    metrics.turns.inc({ kind, outcome: outcome.state })
    metrics.turnSeconds.observe({ kind }, seconds())
    return outcome
  }

  return (ref, ...rest) => {
    const attributes = { 'parley.project': ref.project_id, 'parley.conversation': ref.id }
    return inSpan('turn', { attributes }, async (span) => {
      const ended = await run(ref, ...rest)
      span.setAttribute('parley.outcome', typeof ended === 'string' ? ended : ended.state)
      return ended
    })
  }
}

/** Whether the conversation is unchanged since its row was read. */
const isUntouched = (row: Conversation, before: Conversation): boolean =>
  row.run_id === before.run_id &&
  row.status === before.status &&
  row.turns === before.turns &&
  row.state === before.state &&
  row.last_client_id === before.last_client_id &&
  row.updated_at.getTime() === before.updated_at.getTime() &&
  row.session.entries === before.session.entries
