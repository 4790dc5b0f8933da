import { DEFAULT_EXIT, RUN_FAILS } from './nodeGraph'
import type { Schedule } from './schedule'

/** The exit of an iteration's head if there is another item. */
export const EACH = 'each'

/** How a node that runs others once per item of a list is run. */
export interface Iteration {
  /** takes the next item: leaves by EACH, or by its default exit if none is left */
  head: string
  /** keeps the result of a round; null: nothing reads it */
  keep: string | null
  /** the schedule within one round */
  rounds: Schedule
  /** whether an error in a round ends the run; otherwise it ends the round without a result */
  endsOnError: boolean
}

/** Within an iteration: its node, and the state of the round; null at its head, KEEPING where its result is kept. */
type State = [outer: string, inside: string | null, round: string | null]
const KEEPING = 'keeping'

/** The schedule of a graph in which some nodes run others per item of a list. Nested iterations are not supported. */
export function withIterations(outer: Schedule, iterations: ReadonlyMap<string, Iteration>): Schedule {
  if (iterations.size === 0) return outer
  const read = (state: string) => JSON.parse(state) as State
  const write = (...state: State) => JSON.stringify(state)

  /** The state after a step of a round. */
  function within(state: string, id: string, { rounds, keep }: Iteration, round: string): string {
    if (rounds.next(round) !== null) return write(state, id, round)
    return write(state, id, keep === null ? null : KEEPING)
  }
  return {
    begin: () => write(outer.begin(), null, null),
    next(state) {
      const [around, inside, round] = read(state)
      const iteration = inside === null ? undefined : iterations.get(inside)
      if (!iteration) return outer.next(around)
      if (round === null) return iteration.head
      return round === KEEPING ? iteration.keep : iteration.rounds.next(round)
    },
    leave(state, exit) {
      const [around, inside, round] = read(state)
      const iteration = inside === null ? undefined : iterations.get(inside)
      if (!iteration || inside === null) {
        const node = outer.next(around)
        if (node !== null && iterations.has(node) && exit !== RUN_FAILS) return write(around, node, null)
        return write(outer.leave(around, exit), null, null)
      }
      if (round === null)
        return exit === EACH
          ? within(around, inside, iteration, iteration.rounds.begin())
          : write(outer.leave(around, DEFAULT_EXIT), null, null)
      if (round === KEEPING) return write(around, inside, null)
      if (exit === RUN_FAILS)
        return iteration.endsOnError ? write(outer.leave(around, RUN_FAILS), null, null) : write(around, inside, null)
      return within(around, inside, iteration, iteration.rounds.leave(round, exit))
    },
  }
}
