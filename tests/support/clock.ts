/** A clock that stands still until a test moves it. */
export interface TestClock {
  (): Date
  /** moves it forward */
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
