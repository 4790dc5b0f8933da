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

/** The time as it is, which a test may move ahead: for what a person does in a browser, whose limits are per minute. */
export function createRunningClock(): TestClock {
  let ahead = 0
  return Object.assign(() => new Date(Date.now() + ahead), {
    pass(seconds: number) {
      ahead += seconds * 1_000
    },
  })
}
