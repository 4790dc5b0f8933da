import { nextTurn } from '../nextTurn'

/** ms of work between two looks at what else there is to do */
const SLICE = 5

/** Carries out work that comes in steps; other work goes on meanwhile. */
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
