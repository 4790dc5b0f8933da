import type { Budget } from '../budget'
import type { Json } from '../values/json'
import type { Variables } from '../values/render'
import type { Program } from './program'
import type { RecordedAnswer } from './recordingFormat'
import type { Session } from './session'
import { type TurnInput, turn } from './turn'
import type { Watch } from './watch'

/**
 * What one step of a turn was given: found out by running the turn again, with the same answers, up to the end of that step.
 * @param session as it was before the turn
 * @param answers everything that the turn was answered, in order
 * @param step its number in the turn's trace
 * @param budget what that may cost: what lies beyond is not found
 * @returns the variables at the block's entry, and which of the answers it got (from, to); null when it never gets there
 */
export function inspectStep(
  program: Program,
  session: Session,
  input: TurnInput,
  answers: readonly RecordedAnswer[],
  step: number,
  budget?: Budget,
): { variables: Variables; from: number; to: number } | null {
  let found: { variables: Variables; from: number } | null = null
  let to: number | null = null
  let given = 0
  const watch: Watch = {
    onStep(number, variables) {
      if (number === step) found = { variables, from: given }
      else if (number > step) to ??= given
    },
    // enough is known: the rest need not run
    pausesAt: () => found !== null,
  }
  const running = turn(program, session, input, watch, budget)
  let next = running.next()
  while (!next.done) {
    const answer: Json | undefined = answers[given]?.result
    if (answer === undefined) break
    given += 1
    next = running.next(answer)
  }
  const seen = found as { variables: Variables; from: number } | null
  return seen && { ...seen, to: to ?? given }
}
