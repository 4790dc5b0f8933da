import type { Signal } from '../../../../engine/flow/conversation'
import type { Reply } from '../../../../engine/flow/effects'
import type { Program } from '../../../../engine/run/program'
import type { ServerContext } from '../../../platform/context'
import type { Work } from '../../../platform/database/database'
import type { EffectHandler } from '../../../platform/effects/handleEffect'
import { ApiError } from '../../../platform/errors'
import { type GatePlace, withoutPlace } from '../../../platform/http/admission'
import type { Outbox } from '../channels/outbox'
import type { ConversationRef } from '../conversations/conversationRef'
import { createCalls } from './calls'
import type { Ownership } from './ownership'
import type { createPrograms } from './programs'
import { createKeyedQueue } from './queue'
import { type Conversation, isDuplicateMessage, type Transcript, type VisitorMessage } from './rows'
import { createRunTask, type Lock } from './runTask'
import type { TimedTurn, Timers } from './timers'
import { readTranscript } from './transcript'
import { createMachines } from './turnMachines'
import { createTurnTasks, type Ended, type Happening, isCut, isHeld, type Outcome, type Task } from './turnTasks'
import type { TurnThreads } from './turnThreads'
import type { Updates } from './updates'

interface Parts {
  programs: ReturnType<typeof createPrograms>
  threads: TurnThreads
  ownership: Ownership
  updates: Updates
  /** the handler of an effect by its name */
  handlerOf: (name: string) => EffectHandler | undefined
  timers: Timers
  outbox: Pick<Outbox, 'wake'>
  /** milliseconds that a message waits for a turn in another process */
  patience: number
}

/** The interval of attempts while another process works on a conversation's turn. */
const TRY_AGAIN_MS = 250

/** The most turns recovered at once: a slow call delays its own conversation, not the recovery of the others. */
const RECOVERED_AT_ONCE = 8

/**
 * Runs turns. A turn is one transaction: the visitor's message, the bot's messages, the session, the record. An
 * external call splits it: its input is stored before the call and its result after it, so that after a crash at any
 * point the turn resumes without repeating a finished call. Inputs of one conversation are processed one after the
 * other.
 */
export function createTurns(context: ServerContext, parts: Parts) {
  const { db, clock, log } = context
  const { programs, ownership, timers, patience } = parts
  const inTurn = createKeyedQueue()
  const calls = createCalls(context, parts)
  const tasks = createTurnTasks({ machineFor: createMachines({ ...parts, clock }), ownership, timers, clock })
  const run = createRunTask(context, { ...parts, calls, tasks })
  let closing = false

  /**
   * Retries for a while when another process works on the conversation's turn; meanwhile the place is others'.
   * @throws ApiError overloaded if that lasts
   */
  async function onceFree(attempt: () => Promise<Ended>, place?: GatePlace): Promise<Exclude<Ended, 'busy'>> {
    const until = performance.now() + patience
    for (;;) {
      const outcome = await attempt()
      if (outcome !== 'busy') return outcome
      if (closing || performance.now() >= until) throw new ApiError('overloaded')
      await withoutPlace(place, () => new Promise((resolve) => setTimeout(resolve, TRY_AGAIN_MS)))
    }
  }

  /** Runs `task` between the conversation's turns, after continuing one that a crash interrupted. */
  async function betweenTurns(
    ref: ConversationRef,
    task: Task,
    place?: GatePlace,
    lock?: Lock,
  ): Promise<Exclude<Ended, 'busy'>> {
    for (;;) {
      let wasCut = false
      const first: Task = (work, row, program) => {
        wasCut = isCut(row)
        return wasCut ? tasks.resume(work, row, program) : task(work, row, program)
      }
      const outcome = await onceFree(() => run(ref, first, place, lock), place)
      if (!wasCut) return outcome
    }
  }

  /** Makes the run's first turn, or continues the interrupted one. */
  const beginOrResume: Task = async (work, row, program) =>
    row.turns > 0 || row.pending
      ? tasks.resume(work, row, program)
      : tasks.begin(work, row, program, null, openingOf(row))

  return {
    /**
     * Runs a task between a conversation's turns, after continuing one that a crash interrupted. @throws ApiError
     * overloaded when another process works on its turn for long
     */
    between: (ref: ConversationRef, task: Task, place?: GatePlace): Promise<unknown> =>
      inTurn(ref.id, () => betweenTurns(ref, task, place)),

    /** A task for `between`: continues from a pause. */
    goOn: (work: Work, row: Conversation, program: Program): Promise<Outcome> =>
      tasks.begin(work, row, program, null, null),

    /** Runs the turn that starts a conversation, whose row exists with state `running` and no pending effects. */
    begin: (ref: ConversationRef, place?: GatePlace): Promise<unknown> =>
      inTurn(ref.id, () =>
        run(ref, async (work, row, program) => (isHeld(row) ? 'done' : beginOrResume(work, row, program)), place),
      ),

    /**
     * Takes a visitor's reply; sending the same client id again makes no second turn. Returns the reply and what
     * followed. @throws ApiError conflict when the conversation has ended, overloaded when another process works on its
     * turn for long, and what `lock` throws
     * @param lock locks the conversation, and checks with it that the caller may write
     * @param remembered what is tried before: the conversation as it was stored last, not locked
     */
    reply(
      ref: ConversationRef,
      clientId: string,
      reply: Reply,
      { place, lock, remembered }: { place?: GatePlace; lock?: Lock; remembered?: Lock } = {},
    ): Promise<Transcript> {
      return inTurn(ref.id, async () => {
        const take: Task = (work, row, program) => tasks.takeReply(work, row, program, { clientId, reply })
        const atOnce = remembered ? await run(ref, take, place, remembered).catch(() => 'busy' as const) : 'busy'
        // whatever was in the way: the row itself says what to do
        const taken = atOnce === 'busy' ? betweenTurns(ref, take, place, lock) : Promise.resolve(atOnce)
        const outcome = await taken.catch((error: unknown) => {
          if (isDuplicateMessage(error)) return 'done' as const
          throw error
        })
        const [first] = outcome === 'done' ? [] : outcome.messages
        // who waits for a person is told how many come before, and whether people are there, which only a read knows
        const isForBot = outcome !== 'done' && outcome.status !== 'waiting' && outcome.status !== 'person'
        return isForBot && first?.client_id === clientId ? outcome : readTranscript(db, ref, clock(), { clientId })
      })
    },

    /**
     * Gives the message that began a conversation to its first question, if nothing was said before it: where people
     * write first, the question is not to be seen, and their message is the answer. Does nothing once anything else was
     * said, so that it may be called again.
     */
    answerByOpening(ref: ConversationRef, clientId: string, text: string): Promise<unknown> {
      return inTurn(ref.id, () =>
        betweenTurns(ref, async (work, row, program) => {
          const { request } = row.session
          const asksForWords = request?.input === 'text' && !request.toTeam
          const isFirst = row.status === 'bot' && row.state === 'waiting' && row.turns === 1 && row.last_seq === 1
          return isFirst && asksForWords && row.last_client_id === clientId
            ? tasks.begin(work, row, program, { type: 'text', text }, null)
            : 'done'
        }),
      )
    },

    /**
     * Another program calls a trigger: the flow goes on there. @returns the number of the first message that follows
     * @throws ApiError conflict, conversation_closed, not_found, overloaded
     */
    signal(ref: ConversationRef, signal: Signal): Promise<number> {
      return inTurn(ref.id, async () => {
        let first = 1
        await betweenTurns(ref, (work, row, program) => {
          first = row.last_seq + 1
          return tasks.takeSignal(work, row, program, signal)
        })
        return first
      })
    },

    /**
     * Something has happened elsewhere. @returns whether a question waited for it @throws ApiError overloaded
     */
    happen(ref: ConversationRef, happening: Happening): Promise<boolean> {
      return inTurn(ref.id, async () => {
        let isTaken = false
        await betweenTurns(ref, async (work, row, program) => {
          const outcome = await tasks.takeEvent(work, row, program, happening)
          isTaken = outcome !== null
          return outcome ?? 'done'
        })
        return isTaken
      })
    },

    /**
     * Handles that the visitor did not answer in time, or that a wait is over. Does nothing once the conversation has
     * moved on from that turn.
     */
    timeOut(ref: ConversationRef, { run: runId, turn }: TimedTurn): Promise<unknown> {
      return inTurn(ref.id, () =>
        run(ref, async (work, row, program) => {
          if (row.run_id !== runId || row.turns !== turn || isHeld(row)) return 'done'
          // A crash interrupted the turn that the timer started.
          if (row.state === 'running') return tasks.resume(work, row, program)
          return row.state === 'waiting' ? tasks.begin(work, row, program, { type: 'timeout' }, null) : 'done'
        }),
      )
    },

    /** Continues turns that a crash interrupted, in this process or another. Returns their number. */
    async recover(): Promise<number> {
      // Covers all projects: this runs at the start of the installation, not for a user.
      const cut = await db
        .selectFrom('runs')
        .innerJoin('conversations', (join) =>
          join.onRef('conversations.run_id', '=', 'runs.id').onRef('conversations.project_id', '=', 'runs.project_id'),
        )
        .select(['conversations.id', 'conversations.project_id'])
        .where('state', '=', 'running')
        // a conversation with a person is continued when it is returned to the bot
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

    /** Continues the unfinished turn of the conversation's run, if it has one. */
    goOnIfCut: (ref: ConversationRef): Promise<unknown> =>
      inTurn(ref.id, () =>
        onceFree(() =>
          run(ref, async (work, row, program) => (isCut(row) ? beginOrResume(work, row, program) : 'done')),
        ),
      ),

    /** The program of a version. Don't await it in a transaction. @throws ApiError not_found */
    program: (ref: ConversationRef, versionId: string): Promise<Program> => programs.get(ref.project_id, versionId),

    /**
     * Resumes no more turns and abandons calls in progress: the next process resumes their turns, with the same keys.
     */
    close() {
      closing = true
      calls.close()
    },
  }
}

const openingOf = ({ opening }: Conversation): VisitorMessage => opening && { ...opening, ownWords: true }
