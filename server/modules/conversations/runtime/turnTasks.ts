import type { Signal } from '../../../../engine/flow/conversation'
import type { Reply } from '../../../../engine/flow/effects'
import type { Program } from '../../../../engine/run/program'
import type { TurnResult } from '../../../../engine/run/session'
import { awaitsEvent, findCalled } from '../../../../engine/run/turn'
import type { Json } from '../../../../engine/values/json'
import { plainRichText } from '../../../../engine/values/richText'
import type { ServerContext } from '../../../platform/context'
import type { Work } from '../../../platform/database/database'
import { ApiError } from '../../../platform/errors'
import { keepAnswer } from '../survey/keepAnswer'
import type { MachineStep, PendingCall } from './machine'
import type { Ownership } from './ownership'
import { wantLocked } from './remembered'
import {
  appendVisitors,
  type Conversation,
  insertEffects,
  isReopenable,
  parkTurn,
  readEffects,
  reopenByVisitor,
  type Transcript,
  type VisitorMessage,
} from './rows'
import { saveTurn } from './saveTurn'
import type { Timers } from './timers'
import type { createMachines, Machine } from './turnMachines'
import { isOwnWords, visitorSays } from './visitorSays'
import { isReal } from './writes'

/** A task done while a conversation's row is locked. */
export type Task = (work: Work, row: Conversation, program: Program) => Promise<Outcome>

/** A task's result: the turn has ended, or waits for an external call, or for a worker thread. */
export type Outcome = Ended | Calling | Heavy

/**
 * The transcript after a turn; `done` if it is not at hand, since the turn ended before; `busy` while another process
 * works on it.
 */
export type Ended = Transcript | 'done' | 'busy'

export interface Calling {
  machine: Machine
  call: PendingCall
  row: Conversation
}

/**
 * Work too heavy for this thread: a worker thread does it outside a transaction, so that no connection and no lock
 * waits for it. `goOn` continues with it on the unchanged row; if the row has changed meanwhile, `again` tells what to
 * do, or the turn starts again.
 */
export interface Heavy {
  heavy: Machine
  row: Conversation
  goOn: GoOn
  again?: Task
}
type GoOn = (work: Work, row: Conversation, step: MachineStep) => Promise<Outcome>

/** What has happened elsewhere: its name, and what is known of it. */
export interface Happening {
  event: string
  values: Readonly<Record<string, Json>>
}

export type TurnTasks = ReturnType<typeof createTurnTasks>

/** The message to a visitor when a safety limit stopped the flow; the turn's record tells the editor where. */
const APOLOGY = 'Sorry, something went wrong here. Please try again later.'

/**
 * The answer to a visitor who writes while no question waits. It is not part of the conversation; the client keeps the
 * text.
 */
const UNHEARD = 'One moment, please: the conversation goes on by itself.'

/** The answer to a tester who writes before the turn is over. */
const PAUSED = 'The test is paused. Let it continue first.'

interface Parts {
  machineFor: ReturnType<typeof createMachines>
  ownership: Pick<Ownership, 'claim'>
  timers: Pick<Timers, 'set'>
  clock: ServerContext['clock']
}

/** The steps of a conversation's turn, each in one transaction: start, resume, pass a call's result, store the end. */
export function createTurnTasks({ machineFor, ownership, timers, clock }: Parts) {
  /** Stores the turn if it is over, else returns the call that it waits for. */
  async function settle(
    work: Work,
    row: Conversation,
    machine: Machine,
    step: MachineStep,
    visitor: VisitorMessage,
  ): Promise<Outcome> {
    if (!step.done) return { machine, call: step.call, row }
    if (visitor && isUnmoved(row, step.result)) throw new ApiError('conflict', { message: UNHEARD })
    const received = row.started_by === null ? null : machine.received()
    const path = isReal(row) ? machine.path(step.result) : null
    const took = received && Math.round(performance.now() - machine.begun)
    if (step.result.session.request?.timeout !== undefined) wantLocked(row)
    await timers.set(work, row, step.result.session.request)
    return saveTurn(work, row, { ...withApology(step.result), visitor, received, took, path, at: clock() })
  }

  /** Continues a turn that was parked before; stores effects that occurred since with it. */
  async function goOnParked(work: Work, row: Conversation, machine: Machine, step: MachineStep | null) {
    const goOn: GoOn = async (within, present, next) => {
      await insertEffects(within, present, machine.takeFresh(), clock())
      return settle(within, present, machine, next, null)
    }
    return step ? goOn(work, row, step) : { heavy: machine, row, goOn, again: async () => 'done' as const }
  }

  /** The first part of a turn: to its end, or to its first external call, before which it is parked. */
  async function begin(
    work: Work,
    row: Conversation,
    program: Program,
    reply: Reply | null,
    visitor: VisitorMessage,
  ): Promise<Outcome> {
    const machine = machineFor(program, row, reply, [])
    const goOn: GoOn = async (within, present, step) => {
      if (!step.done) wantLocked(present)
      if (!step.done && !(await ownership.claim(present.id))) return 'busy'
      await keepAnswer(within, present, reply, clock())
      if (step.done) return settle(within, present, machine, step, visitor)
      await parkTurn(within, present, { reply, effects: machine.takeFresh(), visitor, at: clock() })
      // the visitor's message is stored now
      return { machine, call: step.call, row: { ...present, last_seq: present.last_seq + (visitor ? 1 : 0) } }
    }
    const step = machine.advance()
    // a thread's outcome is stored under the plain lock: whether the visitor may write is checked before
    if (!step) wantLocked(row)
    return step ? goOn(work, row, step) : { heavy: machine, row, goOn }
  }

  return {
    begin,

    /** Continues a turn that a crash interrupted. */
    async resume(work: Work, row: Conversation, program: Program): Promise<Outcome> {
      if (!isCut(row)) return 'done'
      if (!(await ownership.claim(row.id))) return 'busy'
      const machine = machineFor(program, row, row.pending?.reply ?? null, await readEffects(work, row))
      return goOnParked(work, row, machine, machine.advance())
    },

    /** Passes the call's result to the turn that was `parked`. */
    async answer(work: Work, row: Conversation, { machine, row: parked }: Calling, result: Json): Promise<Outcome> {
      // The connection with the claim was lost during the call, and another process has ended the turn.
      if (row.run_id !== parked.run_id || row.turns !== parked.turns || isHeld(row)) return 'done'
      return goOnParked(work, row, machine, machine.answer(result))
    },

    /** Goes on at a trigger that another program calls. @throws ApiError conflict if the conversation can't */
    async takeSignal(work: Work, row: Conversation, program: Program, signal: Signal): Promise<Outcome> {
      if (isHeld(row)) throw new ApiError('conflict', { message: 'A person has this conversation now.' })
      if (row.state === 'ended') throw new ApiError('conversation_closed')
      if (row.session.status === 'paused') throw new ApiError('conflict', { message: PAUSED })
      if (!findCalled(program, row.session, signal))
        throw new ApiError('conflict', {
          message: 'This conversation runs on a version of the flow without this webhook.',
        })
      return begin(work, row, program, { type: 'signal', ...signal }, null)
    },

    /**
     * Something has happened elsewhere: answers the question that waits for it. Does nothing while none does: a person
     * has the conversation, it is over, or it has gone on.
     */
    async takeEvent(
      work: Work,
      row: Conversation,
      program: Program,
      { event, values }: Happening,
    ): Promise<Outcome | null> {
      const { status } = row.session
      if (isHeld(row) || status !== 'waiting' || !awaitsEvent(row.session, event)) return null
      return begin(work, row, program, { type: 'event', event, values }, null)
    },

    /** Takes a visitor's message. @throws ApiError conflict when the conversation has ended or is paused */
    async takeReply(
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
      if (isReopenable(row)) {
        const content = visitorSays(reply, null)
        return reopenByVisitor(work, row, { content, clientId, ownWords: isOwnWords(reply, null) }, clock())
      }
      if (row.state === 'ended') throw new ApiError('conflict', { message: 'The conversation has ended.' })
      if (row.session.status === 'paused') throw new ApiError('conflict', { message: PAUSED })
      const { request } = row.session
      const content = visitorSays(reply, request)
      return begin(work, row, program, reply, { content, clientId, ownWords: isOwnWords(reply, request) })
    },
  }
}

/** Whether a person has the conversation: its run is suspended. */
export const isHeld = ({ status }: Conversation): boolean => status === 'person'

/** Whether a crash interrupted the conversation's turn: it is continued before anything else. */
export const isCut = (row: Conversation): boolean => row.state === 'running' && !isHeld(row)

/** No block waited for the reply: the engine returned the same session and no message. */
const isUnmoved = ({ session: before }: Conversation, { session, messages }: TurnResult): boolean =>
  messages.length === 0 &&
  session.status === before.status &&
  // each entry of a block, and each reply that it takes, increments one of them
  session.entries === before.entries &&
  session.journal.length === before.journal.length

function withApology(result: TurnResult): TurnResult {
  if (!result.stopped) return result
  const blockId = result.stopped.at.blockId
  return { ...result, messages: [...result.messages, { kind: 'text', text: plainRichText(APOLOGY), blockId }] }
}
