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

/** The turn that is next in a run: the timer comes to nothing where another one is. */
export interface TimedTurn {
  run: string
  turn: number
}

/** What lets a conversation go on by itself: a wait, or a question that isn't answered in time. One is set at most. */
export interface Timers {
  /** In the transaction that ends the turn `row.turns`; it counts from now. The one before is replaced, or comes to nothing. */
  set(work: Work, row: Conversation, request: InputRequest | null): Promise<void>
  /** In the transaction that goes back to an earlier turn, whose number may come again. */
  clear(work: Work, row: Conversation): Promise<void>
  /** After the commit of that turn. */
  wake(request: InputRequest | null): void
  /** The job, with what happens when a timer of a turn runs out; it may happen twice. */
  handledBy(timeOut: (ref: ConversationRef, next: TimedTurn) => Promise<unknown>): HandledJob
}

export function createTimers(jobs: Jobs, clock: () => Date): Timers {
  const after = (seconds: number): Date => new Date(clock().getTime() + seconds * 1_000)
  return {
    async set(work, row, request) {
      if (request?.timeout === undefined) return
      await jobs.schedule(work, timer, {
        key: row.id,
        // the number of the turn that is next
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

/** A conversation that was deleted waits for nothing. */
function unlessGone(error: unknown): void {
  if (!(error instanceof ApiError && error.code === 'not_found')) throw error
}
