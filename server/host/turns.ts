import { isDeepStrictEqual } from 'node:util'
import type { Reply } from '../../engine/flow/effects'
import type { Program } from '../../engine/run/program'
import type { Session, TurnResult } from '../../engine/run/session'
import { type TurnInput, turn } from '../../engine/run/turn'
import type { Watch } from '../../engine/run/turnState'
import { ownPart, systemPart } from '../../engine/run/variables'
import type { Json } from '../../engine/values/json'
import { markdownText } from '../../engine/values/markdown'
import { plainRichText } from '../../engine/values/richText'
import { withoutPlace } from '../admission'
import type { ServerContext } from '../context'
import { ApiError } from '../errors'
import { pathOf, type TurnPath } from '../statistics/turnPath'
import type { HeardTurn } from '../storage/conversationTables'
import { callKey } from './callKey'
import { createTurnMachine, type MachineStep, type PendingCall, type RecordedEffect, type TurnMachine } from './machine'
import type { Ownership } from './ownership'
import type { createPrograms } from './programs'
import { createKeyedQueue } from './queue'
import {
  type Conversation,
  type ConversationRef,
  finishEffect,
  insertEffects,
  lockConversation,
  parkTurn,
  readEffects,
  saveTurn,
  type Transcript,
  type VisitorMessage,
  type Work,
} from './rows'
import type { Timers } from './timers'
import { readTranscript } from './transcript'
import type { Updates } from './updates'
import { visitorSays } from './visitorSays'

/**
 * A service outside that blocks may call. It never throws: a failure is a result that the block understands. The same key means
 * the same call: a service that can should pass it on, since a crash during a call repeats it.
 */
export type Service = (request: Json, call: { key: string; draft?: ShowDraft }) => Promise<Json>
/** Shows who listens what the call has come to so far, as Markdown: all of it each time; empty when nothing comes of it. */
export type ShowDraft = (markdown: string) => void

interface Parts {
  programs: ReturnType<typeof createPrograms>
  ownership: Ownership
  updates: Updates
  services: Readonly<Record<string, Service>>
  timers: Timers
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

/** A slow service holds up its own conversation, not the recovery of the others. */
const RECOVERED_AT_ONCE = 8

/** A turn under way, what it got from outside so far, and how long that took. */
type Machine = TurnMachine & {
  heard: () => HeardTurn
  path: (result: TurnResult) => TurnPath
  begun: number
  took: Record<number, number>
}
type Outcome = Ended | { machine: Machine; call: PendingCall; row: Conversation }
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
  { programs, ownership, updates, services, timers, patience }: Parts,
) {
  const { db, clock } = context
  const inTurn = createKeyedQueue()
  let closing = false

  /** Runs `begin` in a transaction over the locked row, then whatever calls it asks for. */
  async function run(ref: ConversationRef, begin: Task): Promise<Ended> {
    const locked = async (task: Task): Promise<Outcome> => {
      for (;;) {
        const outcome = await db.transaction().execute(async (work) => {
          const row = await lockConversation(work, ref)
          if (!row) throw new ApiError('not_found')
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
      while (typeof outcome !== 'string' && 'call' in outcome) {
        const { machine, call, row: parked } = outcome
        const called = performance.now()
        const result = await callService(call, parked)
        machine.took[call.position] = Math.round(performance.now() - called)
        // In a statement of its own: whatever happens to the rest of the turn, this call is never made again.
        await finishEffect(db, parked, call.position, JSON.stringify(result))
        outcome = await locked(async (work, row) => {
          // The claim was lost with its connection during the call, and another process has ended the turn.
          if (row.turns !== parked.turns) return 'done'
          const step = machine.answer(result)
          await insertEffects(work, row, machine.takeFresh(), clock())
          return settle(work, row, machine, step, null)
        })
      }
    } finally {
      await ownership.release(ref.id)
    }
    if (outcome !== 'busy') updates.publish(ref.id)
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

  async function callService(
    { service, request, key }: PendingCall,
    { id, gid, last_seq }: Conversation,
  ): Promise<Json> {
    const carryOut = services[service]
    if (!carryOut) return { ok: false, error: `There is no service '${service}'.` }
    try {
      const draft = (markdown: string) => updates.draft(id, { after: last_seq, text: markdownText(markdown) })
      return await withoutPlace(() => carryOut(request, { key: callKey(gid, key), draft }))
    } catch (error) {
      context.log.error({ err: error, service }, 'a service threw instead of answering')
      return { ok: false, error: 'The call failed.' }
    }
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

  function machineFor(program: Program, row: Conversation, reply: Reply | null, recorded: RecordedEffect[]): Machine {
    const { session } = row
    const running = turn(program, session, inputOf(row, reply), watchOf(row))
    const machine = createTurnMachine(running, recorded, { now: clock, random: Math.random })
    const took: Record<number, number> = {}
    const extras = session.status === 'waiting' ? {} : heardBeside(program, session)
    const variables = session.status === 'new' ? systemPart(session.variables) : null
    const heard = () => ({ reply, variables, answers: [...machine.answers()], took, ...extras })
    const path = (result: TurnResult) => pathOf(program, session, reply, result)
    return { ...machine, begun: performance.now(), took, heard, path }
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
    const step = machine.advance()
    if (step.done) return settle(work, row, machine, step, visitor)
    if (!(await ownership.claim(row.id))) return 'busy'
    await parkTurn(work, row, { reply, effects: machine.takeFresh(), visitor, at: clock() })
    // the visitor's message stands now
    return { machine, call: step.call, row: { ...row, last_seq: row.last_seq + (visitor ? 1 : 0) } }
  }

  async function resumeTurn(work: Work, row: Conversation, program: Program): Promise<Outcome> {
    if (row.state !== 'running') return 'done'
    if (!(await ownership.claim(row.id))) return 'busy'
    const machine = machineFor(program, row, row.pending?.reply ?? null, await readEffects(work, row))
    const step = machine.advance()
    await insertEffects(work, row, machine.takeFresh(), clock())
    return settle(work, row, machine, step, null)
  }

  async function takeReply(
    work: Work,
    row: Conversation,
    program: Program,
    { clientId, reply }: { clientId: string; reply: Reply },
  ): Promise<Outcome> {
    if (row.last_client_id === clientId) return 'done'
    if (row.state === 'ended') throw new ApiError('conflict', { message: 'The conversation has ended.' })
    if (row.session.status === 'paused') throw new ApiError('conflict', { message: PAUSED })
    return beginTurn(work, row, program, reply, { content: visitorSays(reply, row.session.request), clientId })
  }

  return {
    /**
     * Does something to a conversation between its turns; one that a crash cut comes first. Throws overloaded when another process is
     * at its turn for long.
     */
    between(ref: ConversationRef, task: Task): Promise<unknown> {
      return inTurn(ref.id, async () => {
        for (;;) {
          let wasCut = false
          const outcome = await onceFree(() =>
            run(ref, (work, row, program) => {
              wasCut = row.state === 'running'
              return wasCut ? resumeTurn(work, row, program) : task(work, row, program)
            }),
          )
          if (!wasCut) return outcome
        }
      })
    },

    /** For `between`: goes on from a pause. */
    goOn: (work: Work, row: Conversation, program: Program): Promise<Outcome> =>
      beginTurn(work, row, program, null, null),

    /** The turn that opens a conversation, whose row is there with state `running` and nothing pending. */
    begin(ref: ConversationRef): Promise<unknown> {
      return inTurn(ref.id, () =>
        run(ref, async (work, row, program) => {
          if (row.turns > 0 || row.pending) return resumeTurn(work, row, program)
          return beginTurn(work, row, program, null, null)
        }),
      )
    },

    /**
     * Takes a visitor's reply. The same client id twice is one turn. Gives the reply and what followed. Throws conflict when the
     * conversation is over, overloaded when another process is at its turn for long.
     */
    reply(ref: ConversationRef, clientId: string, reply: Reply): Promise<Transcript> {
      return inTurn(ref.id, async () => {
        for (;;) {
          let wasCut = false
          const outcome = await onceFree(() =>
            run(ref, (work, row, program) => {
              // A turn that a crash cut comes first; the reply is taken once it is over.
              wasCut = row.state === 'running'
              return wasCut ? resumeTurn(work, row, program) : takeReply(work, row, program, { clientId, reply })
            }).catch((error: unknown) => {
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
    timeOut(ref: ConversationRef, turn: number): Promise<unknown> {
      return inTurn(ref.id, () =>
        run(ref, async (work, row, program) => {
          if (row.turns !== turn) return 'done'
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
        .selectFrom('conversations')
        .select(['id', 'project_id'])
        .where('state', '=', 'running')
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

    /** Resumes no more turns. */
    close() {
      closing = true
    },
  }
}

function inputOf({ session, start_event }: Conversation, reply: Reply | null): TurnInput {
  if (reply) return { type: 'reply', reply }
  return session.status === 'paused' ? { type: 'continue' } : { type: 'start', event: start_event }
}

function watchOf({ pauses }: Conversation): Watch {
  if (!pauses) return {}
  const { step, at } = pauses
  return { pausesAt: (place) => step || at.some((b) => b.blockId === place.blockId && b.flowId === place.flowId) }
}

/** What a tester did that no visitor does: began elsewhere, set values, paused. */
function heardBeside(program: Program, session: Session): Partial<HeardTurn> {
  if (session.status === 'paused') return { continued: true }
  const initial = program.flow(session.flowId)?.variables ?? {}
  const set = Object.entries(ownPart(session.variables)).filter(([id, value]) => !isDeepStrictEqual(initial[id], value))
  return {
    ...(session.at && { from: { flowId: session.flowId, ...session.at } }),
    ...(set.length > 0 && { set: Object.fromEntries(set) }),
  }
}

/** Nobody waited for the reply: the engine gave back the session that it got, and said nothing. */
const isUnmoved = (row: Conversation, { session, messages }: TurnResult): boolean =>
  messages.length === 0 && isDeepStrictEqual(session, row.session)

/** Whether it counts in the statistics: a visitor's does, a tester's does not. */
const isReal = ({ environment }: Conversation): boolean => environment === 'production' || environment === 'sharing'

function withApology(result: TurnResult): TurnResult {
  if (!result.stopped) return result
  const blockId = result.stopped.at.blockId
  return { ...result, messages: [...result.messages, { kind: 'text', text: plainRichText(APOLOGY), blockId }] }
}

/** PostgreSQL's unique_violation on the client's message id: the message was taken before. */
function isDuplicateMessage(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    error.code === '23505' &&
    'constraint' in error &&
    error.constraint === 'messages_client'
  )
}
