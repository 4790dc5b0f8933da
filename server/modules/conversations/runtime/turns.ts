import { CALL_FAILED } from '../../../../engine/effects/defineEffect'
import type { Reply } from '../../../../engine/flow/effects'
import type { Program } from '../../../../engine/run/program'
import type { TurnResult } from '../../../../engine/run/session'
import type { Json } from '../../../../engine/values/json'
import { createMarkdownReader } from '../../../../engine/values/markdown'
import { plainRichText } from '../../../../engine/values/richText'
import type { ServerContext } from '../../../platform/context'
import type { Work } from '../../../platform/database/database'
import { CONVERSATION_GONE, type EffectHandler } from '../../../platform/effects/handleEffect'
import { ApiError } from '../../../platform/errors'
import { type GatePlace, withoutPlace } from '../../../platform/http/admission'
import { WEB } from '../channels/channel'
import type { Outbox } from '../channels/outbox'
import type { ConversationRef } from '../conversations/conversationRef'
import { callContextOf } from './callContext'
import type { MachineStep, PendingCall } from './machine'
import type { Ownership } from './ownership'
import type { createPrograms } from './programs'
import { createKeyedQueue } from './queue'
import {
  appendVisitors,
  type Conversation,
  finishEffect,
  insertEffects,
  isDuplicateMessage,
  lockConversation,
  parkTurn,
  readEffects,
  saveTurn,
  type Transcript,
  type VisitorMessage,
} from './rows'
import type { TimedTurn, Timers } from './timers'
import { readTranscript } from './transcript'
import { createMachines, type Machine } from './turnMachines'
import type { TurnThreads } from './turnThreads'
import type { Updates } from './updates'
import { isOwnWords, visitorSays } from './visitorSays'
import { isReal, writesOf } from './writes'

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

/** Said to a visitor when a safety rail stopped the flow; the record of the turn says where, to the editor. */
const APOLOGY = 'Sorry, something went wrong here. Please try again later.'

/** Said to a visitor who writes while nothing is asked. It is no part of the conversation; the client keeps the text. */
const UNHEARD = 'One moment, please: the conversation goes on by itself.'

/** Said to a tester who writes before the turn is over. */
const PAUSED = 'The test is paused. Let it continue first.'

/** How soon a conversation whose turn another process is at is tried again. */
const TRY_AGAIN_MS = 250

/** A slow call holds up its own conversation, not the recovery of the others. */
const RECOVERED_AT_ONCE = 8

type Outcome = Ended | { machine: Machine; call: PendingCall; row: Conversation } | Heavy
/**
 * Too much work for this thread: it is done in another one, without a transaction, so that no connection and no lock waits for it. `goOn`
 * goes on with it over the row as it was; where that has changed meanwhile, `again` says what is to be done, or it is begun anew.
 */
interface Heavy {
  heavy: Machine
  row: Conversation
  goOn: (work: Work, row: Conversation, step: MachineStep) => Promise<Outcome>
  again?: Task
}
/** What is done while a conversation's row is locked. */
type Task = (work: Work, row: Conversation, program: Program) => Promise<Outcome>
/** What a turn left; `done` when that is not at hand, since it was over before. */
type Ended = Transcript | 'done' | 'busy'

/**
 * Carries out turns. One turn is one transaction: the visitor's message, what the bot says, the session, the record. A call
 * outside splits it: what it works on is written before the call and the result after it, so that a crash at any point resumes
 * without repeating a finished call. Inputs of one conversation are taken one after the other.
 */
export function createTurns(
  context: ServerContext,
  { programs, threads, ownership, updates, handlerOf, timers, outbox, patience }: Parts,
) {
  const { db, clock } = context
  const inTurn = createKeyedQueue()
  const machineFor = createMachines({ programs, threads, clock })
  let closing = false
  /**
   * What ends each call that is under way when this process stops: its turn is left to the next one. One for each call, so that what
   * listens to it goes with the call, and not with the process.
   */
  const underWay = new Set<AbortController>()

  /** Runs `begin` in a transaction over the locked row, then whatever calls it asks for; meanwhile others have `place`. */
  async function run(ref: ConversationRef, begin: Task, place?: GatePlace): Promise<Ended> {
    let channel: string = WEB
    const locked = async (task: Task): Promise<Outcome> => {
      for (;;) {
        const outcome = await db.transaction().execute(async (work) => {
          const row = await lockConversation(work, ref)
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
      outcome = await locked(begin)
      while (typeof outcome !== 'string' && !('messages' in outcome)) {
        if ('heavy' in outcome) {
          const { heavy, row: before, goOn, again = begin }: Heavy = outcome
          const step = await heavy.inThread()
          outcome = await locked((work, row, program) =>
            isUntouched(row, before) ? goOn(work, row, step) : again(work, row, program),
          )
          continue
        }
        const { machine, call, row: parked }: Exclude<typeof outcome, Heavy> = outcome
        const called = performance.now()
        const result = await makeCall(call, parked, place)
        machine.took[call.position] = Math.round(performance.now() - called)
        // In a statement of its own: whatever happens to the rest of the turn, this call is never made again.
        await finishEffect(db, parked, call.position, JSON.stringify(result))
        outcome = await locked(async (work, row) => {
          // The claim was lost with its connection during the call, and another process has ended the turn.
          if (row.run_id !== parked.run_id || row.turns !== parked.turns || isHeld(row)) return 'done'
          const goOn: Heavy['goOn'] = async (within, present, step) => {
            await insertEffects(within, present, machine.takeFresh(), clock())
            return settle(within, present, machine, step, null)
          }
          const step = machine.answer(result)
          return step ? goOn(work, row, step) : { heavy: machine, row, goOn, again: async () => 'done' }
        })
      }
    } finally {
      await ownership.release(ref.id)
    }
    if (outcome !== 'busy') updates.publish(ref.id)
    outbox.wake(channel)
    if (typeof outcome !== 'string') timers.wake(outcome.session.request)
    return outcome
  }

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

  async function makeCall(
    { service, request, key }: PendingCall,
    row: Conversation,
    place: GatePlace | undefined,
  ): Promise<Json> {
    const handler = handlerOf(service)
    if (!handler) return { ok: false, error: `There is no effect '${service}'.` }
    if (closing) throw new ApiError('unavailable')
    const ending = new AbortController()
    const { signal } = ending
    underWay.add(ending)
    try {
      const readMarkdown = createMarkdownReader()
      const draft = (markdown: string) => updates.draft(row.id, { after: row.last_seq, text: readMarkdown(markdown) })
      const called = callContextOf(row, key, { signal, writes: await writesOf(db, row), draft })
      return await unlessAborted(signal, () => withoutPlace(place, () => handler.answer(request, called)))
    } catch (error) {
      // its turn is left as it is: the next process makes the call again
      if (signal.aborted) throw new ApiError('unavailable', { cause: error })
      if (await isDeleted(row)) return CONVERSATION_GONE
      context.log.error({ err: error, service }, 'a handler threw instead of answering')
      return CALL_FAILED
    } finally {
      underWay.delete(ending)
    }
  }

  /** Whether a conversation is gone, which what is written for it refers to; false where that can't be asked. */
  async function isDeleted({ id, project_id }: ConversationRef): Promise<boolean> {
    const rows = db.selectFrom('conversations').select('id').where('id', '=', id).where('project_id', '=', project_id)
    return rows.execute().then(
      ({ length }) => length === 0,
      () => false,
    )
  }

  /** Writes the turn when it is over, else hands out the call that it waits for. */
  async function settle(
    work: Work,
    row: Conversation,
    machine: Machine,
    step: MachineStep,
    visitor: VisitorMessage,
  ): Promise<Outcome> {
    if (!step.done) return { machine, call: step.call, row }
    if (visitor && isUnmoved(row, step.result)) throw new ApiError('conflict', { message: UNHEARD })
    const heard = row.started_by === null ? null : machine.heard()
    const path = isReal(row) ? machine.path(step.result) : null
    const took = heard && Math.round(performance.now() - machine.begun)
    const left = await saveTurn(work, row, { ...withApology(step.result), visitor, heard, took, path, at: clock() })
    await timers.set(work, row, left.session.request)
    return left
  }

  /** The first half of a turn: to its end, or to its first call outside, before which it is parked. */
  async function beginTurn(
    work: Work,
    row: Conversation,
    program: Program,
    reply: Reply | null,
    visitor: VisitorMessage,
  ): Promise<Outcome> {
    const machine = machineFor(program, row, reply, [])
    const goOn: Heavy['goOn'] = async (within, present, step) => {
      if (step.done) return settle(within, present, machine, step, visitor)
      if (!(await ownership.claim(present.id))) return 'busy'
      await parkTurn(within, present, { reply, effects: machine.takeFresh(), visitor, at: clock() })
      // the visitor's message stands now
      return { machine, call: step.call, row: { ...present, last_seq: present.last_seq + (visitor ? 1 : 0) } }
    }
    const step = machine.advance()
    return step ? goOn(work, row, step) : { heavy: machine, row, goOn }
  }

  async function resumeTurn(work: Work, row: Conversation, program: Program): Promise<Outcome> {
    if (row.state !== 'running' || isHeld(row)) return 'done'
    if (!(await ownership.claim(row.id))) return 'busy'
    const machine = machineFor(program, row, row.pending?.reply ?? null, await readEffects(work, row))
    const goOn: Heavy['goOn'] = async (within, present, step) => {
      await insertEffects(within, present, machine.takeFresh(), clock())
      return settle(within, present, machine, step, null)
    }
    const step = machine.advance()
    return step ? goOn(work, row, step) : { heavy: machine, row, goOn, again: async () => 'done' }
  }

  async function takeReply(
    work: Work,
    row: Conversation,
    program: Program,
    { clientId, reply }: { clientId: string; reply: Reply },
  ): Promise<Outcome> {
    if (row.last_client_id === clientId) return 'done'
    if (isHeld(row)) {
      const content = visitorSays(reply, null)
      return appendVisitors(work, row, { content, clientId, ownWords: isOwnWords(reply, null) }, clock())
    }
    if (row.state === 'ended') throw new ApiError('conflict', { message: 'The conversation has ended.' })
    if (row.session.status === 'paused') throw new ApiError('conflict', { message: PAUSED })
    const { request } = row.session
    const content = visitorSays(reply, request)
    return beginTurn(work, row, program, reply, { content, clientId, ownWords: isOwnWords(reply, request) })
  }

  return {
    /**
     * Does something to a conversation between its turns; one that a crash cut comes first. Throws overloaded when another process is
     * at its turn for long.
     */
    between(ref: ConversationRef, task: Task, place?: GatePlace): Promise<unknown> {
      return inTurn(ref.id, async () => {
        for (;;) {
          let wasCut = false
          const outcome = await onceFree(() =>
            run(
              ref,
              (work, row, program) => {
                wasCut = row.state === 'running' && !isHeld(row)
                return wasCut ? resumeTurn(work, row, program) : task(work, row, program)
              },
              place,
            ),
          )
          if (!wasCut) return outcome
        }
      })
    },

    /** For `between`: goes on from a pause. */
    goOn: (work: Work, row: Conversation, program: Program): Promise<Outcome> =>
      beginTurn(work, row, program, null, null),

    /** The turn that opens a conversation, whose row is there with state `running` and nothing pending. */
    begin(ref: ConversationRef, place?: GatePlace): Promise<unknown> {
      return inTurn(ref.id, () =>
        run(
          ref,
          async (work, row, program) => {
            if (isHeld(row)) return 'done'
            if (row.turns > 0 || row.pending) return resumeTurn(work, row, program)
            return beginTurn(work, row, program, null, openingOf(row))
          },
          place,
        ),
      )
    },

    /**
     * Takes a visitor's reply. The same client id twice is one turn. Gives the reply and what followed. Throws conflict when the
     * conversation is over, overloaded when another process is at its turn for long.
     */
    reply(ref: ConversationRef, clientId: string, reply: Reply, place?: GatePlace): Promise<Transcript> {
      return inTurn(ref.id, async () => {
        for (;;) {
          let wasCut = false
          const outcome = await onceFree(() =>
            run(
              ref,
              (work, row, program) => {
                // A turn that a crash cut comes first; the reply is taken once it is over.
                wasCut = row.state === 'running' && !isHeld(row)
                return wasCut ? resumeTurn(work, row, program) : takeReply(work, row, program, { clientId, reply })
              },
              place,
            ).catch((error: unknown) => {
              if (isDuplicateMessage(error)) return 'done' as const
              throw error
            }),
          )
          if (wasCut) continue
          const [first] = outcome === 'done' ? [] : outcome.messages
          return outcome !== 'done' && first?.client_id === clientId ? outcome : readTranscript(db, ref, { clientId })
        }
      })
    },

    /** The visitor did not answer in time, or a wait is over. Does nothing once the conversation has moved on from that turn. */
    timeOut(ref: ConversationRef, { run: runId, turn }: TimedTurn): Promise<unknown> {
      return inTurn(ref.id, () =>
        run(ref, async (work, row, program) => {
          if (row.run_id !== runId || row.turns !== turn || isHeld(row)) return 'done'
          // A crash cut the turn that this began.
          if (row.state === 'running') return resumeTurn(work, row, program)
          return row.state === 'waiting' ? beginTurn(work, row, program, { type: 'timeout' }, null) : 'done'
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
            context.log.error({ err: error, conversation: ref.id }, 'a turn that was cut could not be resumed'),
          )
        }
      }
      await Promise.all(Array.from({ length: RECOVERED_AT_ONCE }, resume))
      return cut.length
    },

    /** Makes or goes on with the turn that the conversation's run is at, if it is at one. */
    goOnIfCut(ref: ConversationRef): Promise<unknown> {
      return inTurn(ref.id, () =>
        onceFree(() =>
          run(ref, async (work, row, program) => {
            if (row.state !== 'running' || isHeld(row)) return 'done'
            return row.turns > 0 || row.pending
              ? resumeTurn(work, row, program)
              : beginTurn(work, row, program, null, openingOf(row))
          }),
        ),
      )
    },

    /** The program of a version. Not to be awaited in a transaction. Throws not_found. */
    program: (ref: ConversationRef, versionId: string): Promise<Program> => programs.get(ref.project_id, versionId),

    /** Resumes no more turns, and leaves calls that are under way: their turns are resumed by the next process, under the same keys. */
    close() {
      closing = true
      for (const ending of underWay) ending.abort()
    },
  }
}

/** Whether a person has the conversation: its run stands still. */
const isHeld = ({ status }: Conversation): boolean => status === 'person'

const openingOf = ({ opening }: Conversation): VisitorMessage => opening && { ...opening, ownWords: true }

/** Nobody waited for the reply: the engine gave back the session that it got, and said nothing. */
const isUnmoved = ({ session: before }: Conversation, { session, messages }: TurnResult): boolean =>
  messages.length === 0 &&
  session.status === before.status &&
  // each entry of a block, and each reply that it takes, counts one of them up
  session.entries === before.entries &&
  session.journal.length === before.journal.length

/** Whether nothing happened to the conversation since its row was read. */
const isUntouched = (row: Conversation, before: Conversation): boolean =>
  row.run_id === before.run_id &&
  row.status === before.status &&
  row.turns === before.turns &&
  row.state === before.state &&
  row.last_client_id === before.last_client_id &&
  row.updated_at.getTime() === before.updated_at.getTime() &&
  row.session.entries === before.session.entries

function withApology(result: TurnResult): TurnResult {
  if (!result.stopped) return result
  const blockId = result.stopped.at.blockId
  return { ...result, messages: [...result.messages, { kind: 'text', text: plainRichText(APOLOGY), blockId }] }
}

/** What work comes to; rejects as soon as the signal ends, whether the work listens to it or not. */
async function unlessAborted<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
  signal.throwIfAborted()
  let abort = () => {}
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason)
    signal.addEventListener('abort', abort, { once: true })
  })
  try {
    return await Promise.race([work(), aborted])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}
