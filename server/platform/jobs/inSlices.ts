import { nextTurn } from '../nextTurn'

/** ms of work between two pauses for other work */
const SLICE = 5

/** Runs work in steps, with pauses for other work. */
export async function inSlices<Result>(steps: Generator<void, Result>): Promise<Result> {
  for (;;) {
    const until = performance.now() + SLICE
    while (performance.now() < until) {
      const step = steps.next()
      if (step.done) return step.value
    }
    await nextTurn()
  }
}
