/** A simulated clock that a test advances. */
export interface TestClock {
  (): Date
  /** advances it */
  pass(seconds: number): void
}

export function createTestClock(start = '2026-01-01T00:00:00Z'): TestClock {
  let now = Date.parse(start)
  return Object.assign(() => new Date(now), {
    pass(seconds: number) {
      now += seconds * 1_000
    },
  })
}
