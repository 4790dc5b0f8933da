import { expect, test } from 'vitest'
import { redisOptions } from './redisOptions'

test('connections that lost Redis together come back at different times, each within three seconds of its last try', () => {
  for (const attempt of [1, 2, 5, 1_000]) {
    const waits = Array.from({ length: 20 }, () => redisOptions.retryStrategy(attempt))
    expect(new Set(waits).size, `after ${attempt}`).toBeGreaterThan(1)
    expect(Math.min(...waits)).toBeGreaterThan(100)
    expect(Math.max(...waits)).toBeLessThan(3_000)
  }
})
