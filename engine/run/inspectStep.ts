import type { Budget } from '../budget'
import type { Json } from '../values/json'
import type { Variables } from '../values/render'
import type { Program } from './program'
import type { RecordedAnswer } from './recordingFormat'
import type { Session } from './session'
import { type TurnInput, turn } from './turn'
import type { Watch } from './watch'

/**
 * Finds the input of one step of a turn by re-running the turn with the same answers up to the end of that step.
 * @param session as it was before the turn
 * @param answers all answers of the turn, in order
 * @param step its number in the turn's trace
 * @param budget limits the cost: steps beyond it are not found
 * @returns the variables at the block's entry, and the range of its answers (from, to); null if the step is not reached
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
    // found: stop
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
