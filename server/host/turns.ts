import type { Reply } from '../../engine/flow/effects'
import type { TurnResult } from '../../engine/run/session'
import { turn } from '../../engine/run/turn'
import type { Json } from '../../engine/values/json'
import { plainRichText } from '../../engine/values/richText'
import type { ServerContext } from '../context'
import { ApiError } from '../errors'
import { createTurnMachine, type MachineStep, type PendingCall, type TurnMachine } from './machine'
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
import { readTranscript } from './transcript'
import type { Updates } from './updates'
import { visitorSays } from './visitorSays'

/**
 * A service outside that blocks may call. It never throws: a failure is a result that the block understands. The same key means
 * the same call: a service that can should pass it on, since a crash during a call repeats it.
 */
export type Service = (request: Json, call: { key: string }) => Promise<Json>

interface Parts {
  programs: ReturnType<typeof createPrograms>
  ownership: Ownership
  updates: Updates
  services: Readonly<Record<string, Service>>
}

/** Said to a visitor when a safety rail stopped the flow; the record of the turn says where, to the editor. */
const APOLOGY = 'Sorry, something went wrong here. Please try again later.'

/** A slow service holds up its own conversation, not the recovery of the others. */
const RECOVERED_AT_ONCE = 8

type Outcome = Ended | { machine: TurnMachine; call: PendingCall; row: Conversation }
/** What a turn left; `done` when that is not at hand, since it was over before. */
type Ended = Transcript | 'done' | 'busy'

/**
 * Carries out turns. One turn is one transaction: the visitor's message, what the bot says, the session, the record. A call
 * outside splits it: what it works on is written before the call and the result after it, so that a crash at any point resumes
 * without repeating a finished call. Inputs of one conversation are taken one after the other.
 */
export function createTurns(context: ServerContext, { programs, ownership, updates, services }: Parts) {
  const { db, clock } = context
  const inTurn = createKeyedQueue()
  let closing = false

  /** Runs `begin` in a transaction over the locked row, then whatever calls it asks for. */
  async function run(ref: ConversationRef, begin: (work: Work, row: Conversation) => Promise<Outcome>): Promise<Ended> {
    const locked = async (task: (work: Work, row: Conversation) => Promise<Outcome>): Promise<Outcome> =>
      db.transaction().execute(async (work) => {
        const row = await lockConversation(work, ref)
        if (!row) throw new ApiError('not_found')
        return task(work, row)
      })

    await ownership.ready()
    let outcome: Outcome
    try {
      outcome = await locked(begin)
      while (typeof outcome !== 'string' && 'call' in outcome) {
        const { machine, call, row: parked } = outcome
        const result = await callService(call, parked)
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
    return outcome
  }

  async function callService({ service, request, key }: PendingCall, { gid }: Conversation): Promise<Json> {
    const carryOut = services[service]
    if (!carryOut) return { ok: false, error: `There is no service '${service}'.` }
    try {
      // The engine's keys are unique within a conversation, a service serves them all.
      return await carryOut(request, { key: `${gid}.${key}` })
    } catch (error) {
      context.log.error({ err: error, service }, 'a service threw instead of answering')
      return { ok: false, error: 'The call failed.' }
    }
  }

  /** Writes the turn when it is over, else hands out the call that it waits for. */
  async function settle(
    work: Work,
    row: Conversation,
    machine: TurnMachine,
    step: MachineStep,
    visitor: VisitorMessage,
  ): Promise<Outcome> {
    if (!step.done) return { machine, call: step.call, row }
    return saveTurn(work, row, { ...withApology(step.result), visitor, at: clock() })
  }

  async function machineFor(
    work: Work,
    row: Conversation,
    reply: Reply | null,
    resumed: boolean,
  ): Promise<TurnMachine> {
    const program = await programs.get(work, row.project_id, row.flow_version_id)
    const input = reply
      ? { type: 'reply' as const, reply }
      : { type: 'start' as const, event: { type: 'start' as const } }
    const recorded = resumed ? await readEffects(work, row) : []
    return createTurnMachine(turn(program, row.session, input), recorded, { now: clock, random: Math.random })
  }

  /** The first half of a turn: to its end, or to its first call outside, before which it is parked. */
  async function beginTurn(
    work: Work,
    row: Conversation,
    reply: Reply | null,
    visitor: VisitorMessage,
  ): Promise<Outcome> {
    const machine = await machineFor(work, row, reply, false)
    const step = machine.advance()
    if (step.done) return settle(work, row, machine, step, visitor)
    if (!(await ownership.claim(row.id))) return 'busy'
    await parkTurn(work, row, { reply, effects: machine.takeFresh(), visitor, at: clock() })
    return { machine, call: step.call, row }
  }

  async function resumeTurn(work: Work, row: Conversation): Promise<Outcome> {
    if (row.state !== 'running') return 'done'
    if (!(await ownership.claim(row.id))) return 'busy'
    const machine = await machineFor(work, row, row.pending?.reply ?? null, true)
    const step = machine.advance()
    await insertEffects(work, row, machine.takeFresh(), clock())
    return settle(work, row, machine, step, null)
  }

  async function takeReply(work: Work, row: Conversation, clientId: string, reply: Reply): Promise<Outcome> {
    if (row.last_client_id === clientId) return 'done'
    if (row.state === 'ended') throw new ApiError('conflict', { message: 'The conversation has ended.' })
    return beginTurn(work, row, reply, { content: visitorSays(reply, row.session.request), clientId })
  }

  return {
    /** The turn that opens a conversation, whose row is there with state `running` and nothing pending. */
    begin(ref: ConversationRef): Promise<unknown> {
      return inTurn(ref.id, () =>
        run(ref, async (work, row) => {
          if (row.turns > 0 || row.pending) return resumeTurn(work, row)
          return beginTurn(work, row, null, null)
        }),
      )
    },

    /**
     * Takes a visitor's reply. The same client id twice is one turn. Gives the reply and what followed. Throws conflict when the
     * conversation is over, overloaded when another process is at its turn.
     */
    reply(ref: ConversationRef, clientId: string, reply: Reply): Promise<Transcript> {
      return inTurn(ref.id, async () => {
        for (;;) {
          let wasCut = false
          const outcome = await run(ref, (work, row) => {
            // A turn that a crash cut comes first; the reply is taken once it is over.
            wasCut = row.state === 'running'
            return wasCut ? resumeTurn(work, row) : takeReply(work, row, clientId, reply)
          }).catch((error: unknown) => {
            if (isDuplicateMessage(error)) return 'done' as const
            throw error
          })
          if (outcome === 'busy') throw new ApiError('overloaded')
          if (wasCut) continue
          const [first] = outcome === 'done' ? [] : outcome.messages
          return outcome !== 'done' && first?.client_id === clientId ? outcome : readTranscript(db, ref, { clientId })
        }
      })
    },

    /** Goes on with the turns that a crash cut. Returns how many there were. */
    async recover(): Promise<number> {
      // Every project's: this is the installation's own start, nobody's call.
      const cut = await db
        .selectFrom('conversations')
        .select(['id', 'project_id'])
        .where('state', '=', 'running')
        .execute()
      const left = cut.values()
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
