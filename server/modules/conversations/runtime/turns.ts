import type { Reply } from '../../../../engine/flow/effects'
import type { Program } from '../../../../engine/run/program'
import type { ServerContext } from '../../../platform/context'
import type { Work } from '../../../platform/database/database'
import type { EffectHandler } from '../../../platform/effects/handleEffect'
import { ApiError } from '../../../platform/errors'
import type { GatePlace } from '../../../platform/http/admission'
import type { Outbox } from '../channels/outbox'
import type { ConversationRef } from '../conversations/conversationRef'
import { createCalls } from './calls'
import type { Ownership } from './ownership'
import type { createPrograms } from './programs'
import { createKeyedQueue } from './queue'
import { type Conversation, isDuplicateMessage, type Transcript, type VisitorMessage } from './rows'
import { createRunTask } from './runTask'
import type { TimedTurn, Timers } from './timers'
import { readTranscript } from './transcript'
import { createMachines } from './turnMachines'
import { createTurnTasks, type Ended, isCut, isHeld, type Outcome, type Task } from './turnTasks'
import type { TurnThreads } from './turnThreads'
import type { Updates } from './updates'

interface Parts {
  programs: ReturnType<typeof createPrograms>
  threads: TurnThreads
  ownership: Ownership
  updates: Updates
  /** who carries out the effect of that name */
  handlerOf: (name: string) => EffectHandler | undefined
  timers: Timers
  outbox: Pick<Outbox, 'wake'>
  /** for how many milliseconds who writes waits for a turn of another process */
  patience: number
}

/** How soon a conversation whose turn another process is at is tried again. */
const TRY_AGAIN_MS = 250

/** A slow call holds up its own conversation, not the recovery of the others. */
const RECOVERED_AT_ONCE = 8

/**
 * Carries out turns. One turn is one transaction: the visitor's message, what the bot says, the session, the record. A call
 * outside splits it: what it works on is written before the call and the result after it, so that a crash at any point resumes
 * without repeating a finished call. Inputs of one conversation are taken one after the other.
 */
export function createTurns(context: ServerContext, parts: Parts) {
  const { db, clock, log } = context
  const { programs, ownership, timers, patience } = parts
  const inTurn = createKeyedQueue()
  const calls = createCalls(context, parts)
  const tasks = createTurnTasks({ machineFor: createMachines({ ...parts, clock }), ownership, timers, clock })
  const run = createRunTask(context, { ...parts, calls, tasks })
  let closing = false

  /** Tries again for a while when another process is at the conversation's turn. Throws overloaded when that lasts. */
  async function onceFree(attempt: () => Promise<Ended>): Promise<Exclude<Ended, 'busy'>> {
    const until = performance.now() + patience
    for (;;) {
      const outcome = await attempt()
      if (outcome !== 'busy') return outcome
      if (closing || performance.now() >= until) throw new ApiError('overloaded')
      await new Promise((resolve) => setTimeout(resolve, TRY_AGAIN_MS))
    }
  }

  /** Runs `task` between the conversation's turns: one that a crash cut comes first. */
  async function betweenTurns(ref: ConversationRef, task: Task, place?: GatePlace): Promise<Exclude<Ended, 'busy'>> {
    for (;;) {
      let wasCut = false
      const first: Task = (work, row, program) => {
        wasCut = isCut(row)
        return wasCut ? tasks.resume(work, row, program) : task(work, row, program)
      }
      const outcome = await onceFree(() => run(ref, first, place))
      if (!wasCut) return outcome
    }
  }

  /** Makes the run's first turn, or goes on with the one that was cut. */
  const beginOrResume: Task = async (work, row, program) =>
    row.turns > 0 || row.pending
      ? tasks.resume(work, row, program)
      : tasks.begin(work, row, program, null, openingOf(row))

  return {
    /**
     * Does something to a conversation between its turns; one that a crash cut comes first. Throws overloaded when another process is
     * at its turn for long.
     */
    between: (ref: ConversationRef, task: Task, place?: GatePlace): Promise<unknown> =>
      inTurn(ref.id, () => betweenTurns(ref, task, place)),

    /** For `between`: goes on from a pause. */
    goOn: (work: Work, row: Conversation, program: Program): Promise<Outcome> =>
      tasks.begin(work, row, program, null, null),

    /** The turn that opens a conversation, whose row is there with state `running` and nothing pending. */
    begin: (ref: ConversationRef, place?: GatePlace): Promise<unknown> =>
      inTurn(ref.id, () =>
        run(ref, async (work, row, program) => (isHeld(row) ? 'done' : beginOrResume(work, row, program)), place),
      ),

    /**
     * Takes a visitor's reply. The same client id twice is one turn. Gives the reply and what followed. Throws conflict when the
     * conversation is over, overloaded when another process is at its turn for long.
     */
    reply(ref: ConversationRef, clientId: string, reply: Reply, place?: GatePlace): Promise<Transcript> {
      return inTurn(ref.id, async () => {
        const take: Task = (work, row, program) => tasks.takeReply(work, row, program, { clientId, reply })
        const outcome = await betweenTurns(ref, take, place).catch((error: unknown) => {
          if (isDuplicateMessage(error)) return 'done' as const
          throw error
        })
        const [first] = outcome === 'done' ? [] : outcome.messages
        return outcome !== 'done' && first?.client_id === clientId ? outcome : readTranscript(db, ref, { clientId })
      })
    },

    /** The visitor did not answer in time, or a wait is over. Does nothing once the conversation has moved on from that turn. */
    timeOut(ref: ConversationRef, { run: runId, turn }: TimedTurn): Promise<unknown> {
      return inTurn(ref.id, () =>
        run(ref, async (work, row, program) => {
          if (row.run_id !== runId || row.turns !== turn || isHeld(row)) return 'done'
          // A crash cut the turn that this began.
          if (row.state === 'running') return tasks.resume(work, row, program)
          return row.state === 'waiting' ? tasks.begin(work, row, program, { type: 'timeout' }, null) : 'done'
        }),
      )
    },

    /** Goes on with the turns that a crash cut, here or in another process. Returns how many there were. */
    async recover(): Promise<number> {
      // Every project's: this is the installation's own start, nobody's call.
      const cut = await db
        .selectFrom('runs')
        .innerJoin('conversations', (join) =>
          join.onRef('conversations.run_id', '=', 'runs.id').onRef('conversations.project_id', '=', 'runs.project_id'),
        )
        .select(['conversations.id', 'conversations.project_id'])
        .where('state', '=', 'running')
        // what a person has goes on once it is given back
        .where('status', '<>', 'person')
        .execute()
      const left = cut.filter(({ id }) => !ownership.holds(id)).values()
      const resume = async () => {
        for (const ref of left) {
          if (closing) return
          await this.begin(ref).catch((error) =>
            log.error({ err: error, conversation: ref.id }, 'a turn that was cut could not be resumed'),
          )
        }
      }
      await Promise.all(Array.from({ length: RECOVERED_AT_ONCE }, resume))
      return cut.length
    },

    /** Makes or goes on with the turn that the conversation's run is at, if it is at one. */
    goOnIfCut: (ref: ConversationRef): Promise<unknown> =>
      inTurn(ref.id, () =>
        onceFree(() =>
          run(ref, async (work, row, program) => (isCut(row) ? beginOrResume(work, row, program) : 'done')),
        ),
      ),

    /** The program of a version. Not to be awaited in a transaction. Throws not_found. */
    program: (ref: ConversationRef, versionId: string): Promise<Program> => programs.get(ref.project_id, versionId),

    /** Resumes no more turns, and leaves calls that are under way: their turns are resumed by the next process, under the same keys. */
    close() {
      closing = true
      calls.close()
    },
  }
}

const openingOf = ({ opening }: Conversation): VisitorMessage => opening && { ...opening, ownWords: true }
