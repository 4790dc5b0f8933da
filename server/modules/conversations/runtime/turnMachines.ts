import { isDeepStrictEqual } from 'node:util'
import { Budget } from '../../../../engine/budget'
import type { Reply } from '../../../../engine/flow/effects'
import type { Program } from '../../../../engine/run/program'
import type { Session, TurnResult } from '../../../../engine/run/session'
import { abandonTurn, type TurnInput, turn } from '../../../../engine/run/turn'
import { ownPart, systemPart } from '../../../../engine/run/variables'
import { pathOf, type TurnPath } from '../../statistics/turnPath'
import type { ReceivedTurn } from '../tables'
import { createTurnMachine, type RecordedEffect, type TurnMachine } from './machine'
import type { createPrograms } from './programs'
import type { Conversation } from './rows'
import { OWN_UNITS, type TurnThreads } from './turnThreads'
import { watchOf } from './watchOf'

/** A turn in progress, the results of its external calls so far, and the time they took. */
export type Machine = TurnMachine & {
  received: () => ReceivedTurn
  path: (result: TurnResult) => TurnPath
  begun: number
  took: Record<number, number>
}

interface Parts {
  programs: ReturnType<typeof createPrograms>
  threads: TurnThreads
  clock: () => Date
}

/** The most versions remembered as needing more than `OWN_UNITS`. */
const MOST_HEAVY = 1_000

/**
 * Creates the machines that run turns of conversations: in this thread within `OWN_UNITS`; beyond that from the start
 * of the turn in one of `threads`. Without worker threads, the whole turn runs here.
 */
export function createMachines({ programs, threads, clock }: Parts) {
  /** versions whose last turn was too heavy for this thread: the next one runs in a worker thread at once */
  const heavyVersions = new Set<string>()

  function noteHeavy(key: string): void {
    heavyVersions.delete(key)
    heavyVersions.add(key)
    const oldest = heavyVersions.values().next().value
    if (heavyVersions.size > MOST_HEAVY && oldest !== undefined) heavyVersions.delete(oldest)
  }

  return (program: Program, row: Conversation, reply: Reply | null, recorded: RecordedEffect[]): Machine => {
    const { session, project_id, flow_version_id, pauses } = row
    const input = inputOf(row, reply)
    const key = `${project_id}/${flow_version_id}`
    const budget = threads.present ? new Budget(OWN_UNITS) : undefined
    const running = heavyVersions.has(key) ? null : turn(program, session, input, watchOf(pauses), budget)
    const elsewhere: Parameters<typeof createTurnMachine>[3] = async (given, answer) => {
      noteHeavy(key)
      const source = () => programs.source(project_id, flow_version_id)
      const outcome = await threads.run(project_id, { key, session, input, pauses, given }, source, answer)
      if (outcome !== 'lost' && outcome.spent < OWN_UNITS / 2) heavyVersions.delete(key)
      return outcome
    }
    const machine = createTurnMachine(
      running,
      recorded,
      { now: clock, random: Math.random },
      threads.present ? elsewhere : null,
      () => abandonTurn(program, session),
    )
    const took: Record<number, number> = {}
    const extras = session.status === 'waiting' ? {} : receivedBeside(program, session)
    const variables = session.status === 'new' ? systemPart(session.variables) : null
    const received = () => ({ reply, variables, answers: [...machine.answers()], took, ...extras })
    const path = (result: TurnResult) => pathOf(program, session, reply, result)
    return { ...machine, begun: performance.now(), took, received, path }
  }
}

function inputOf({ session, start_event }: Conversation, reply: Reply | null): TurnInput {
  if (reply) return { type: 'reply', reply }
  return session.status === 'paused' ? { type: 'continue' } : { type: 'start', event: start_event }
}

/** A tester's actions that visitors don't have: starting elsewhere, setting values, pausing. */
function receivedBeside(program: Program, session: Session): Partial<ReceivedTurn> {
  if (session.status === 'paused') return { continued: true }
  const initial = program.flow(session.flowId)?.variables ?? {}
  const set = Object.entries(ownPart(session.variables)).filter(([id, value]) => !isDeepStrictEqual(initial[id], value))
  return {
    ...(session.at && { from: { flowId: session.flowId, ...session.at } }),
    ...(set.length > 0 && { set: Object.fromEntries(set) }),
  }
}
