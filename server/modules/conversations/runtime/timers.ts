import { z } from 'zod'
import type { InputRequest } from '../../../../engine/flow/effects'
import type { Work } from '../../../platform/database/database'
import { ApiError } from '../../../platform/errors'
import type { Jobs } from '../../../platform/jobs/createJobs'
import { defineJob, type HandledJob } from '../../../platform/jobs/defineJob'
import type { ConversationRef } from '../conversations/conversationRef'
import type { Conversation } from './rows'

const timer = defineJob(
  'conversation-timer',
  z.strictObject({ conversation: z.string(), run: z.string(), turn: z.int() }),
)

/** The next turn of a run: the timer does nothing if that turn was made already. */
export interface TimedTurn {
  run: string
  turn: number
}

/**
 * Timers by which a conversation continues without a visitor: a wait, or the time limit of a question. A conversation
 * has one at most.
 */
export interface Timers {
  /**
   * Sets the timer, counted from now, in the transaction that ends the turn `row.turns`. The previous one is replaced
   * or does nothing.
   */
  set(work: Work, row: Conversation, request: InputRequest | null): Promise<void>
  /** Deletes the timer, in the transaction that goes back to an earlier turn, whose number may be used again. */
  clear(work: Work, row: Conversation): Promise<void>
  /** Call it after the commit of that turn. */
  wake(request: InputRequest | null): void
  /** The job whose handler runs when a timer of a turn runs out; the handler may be called twice. */
  handledBy(timeOut: (ref: ConversationRef, next: TimedTurn) => Promise<unknown>): HandledJob
}

export function createTimers(jobs: Jobs, clock: () => Date): Timers {
  const after = (seconds: number): Date => new Date(clock().getTime() + seconds * 1_000)
  return {
    async set(work, row, request) {
      if (request?.timeout === undefined) return
      await jobs.schedule(work, timer, {
        key: row.id,
        // the number of the next turn
        payload: { conversation: row.id, run: row.run_id, turn: row.turns + 1 },
        runAt: after(request.timeout),
        projectId: row.project_id,
      })
    },
    async clear(work, row) {
      await work.deleteFrom('jobs').where('kind', '=', timer.kind).where('key', '=', row.id).execute()
    },
    wake(request) {
      if (request?.timeout !== undefined) jobs.wake(after(request.timeout))
    },
    handledBy: (timeOut) =>
      timer.handledBy(async ({ conversation, ...next }, { projectId }) => {
        if (projectId !== null) await timeOut({ id: conversation, project_id: projectId }, next).catch(unlessGone)
        return undefined
      }),
  }
}

/** Ignores that a conversation was deleted. */
function unlessGone(error: unknown): void {
  if (!(error instanceof ApiError && error.code === 'not_found')) throw error
}
