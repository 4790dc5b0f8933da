import { expect, test } from 'vitest'
import { backgroundRetries, createBackoff } from './backoff'

test('waits double from one failure to the next, up to the longest', () => {
  const waitAfter = createBackoff({ firstMs: 100, longestMs: 1_000 })
  expect([1, 2, 3, 4, 5, 6, 5_000].map(waitAfter)).toEqual([100, 200, 400, 800, 1_000, 1_000, 1_000])
})

test('with jitter a wait is that much shorter or longer at most', () => {
  const between = [0, 0.5, 1].map((number) =>
    createBackoff({ firstMs: 100, longestMs: 1_000, jitter: 0.25 }, () => number)(2),
  )
  expect(between).toEqual([150, 200, 250])
})

test('work in the background is tried ten times within an hour and a half', () => {
  const { mostAttempts, waitAfter } = backgroundRetries
  const waits = Array.from({ length: mostAttempts - 1 }, (_, at) => waitAfter(at + 1) / 60_000)
  expect(Math.round(waits.reduce((sum, wait) => sum + wait, 0))).toBe(85)
})
