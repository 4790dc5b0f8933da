import { expect, test } from 'vitest'
import { createAttempts, createLockout, tooMany } from './attempts'

test('a window takes so many, a refused attempt does not prolong it, and one taken back counts no more', () => {
  let now = 0
  const attempts = createAttempts(() => new Date(now), 2, 1_000)
  attempts.take('a')
  attempts.take('a')
  now = 999
  expect(() => attempts.take('a')).toThrow(expect.objectContaining({ code: 'too_many_requests', status: 429 }))
  expect(() => attempts.take('b')).not.toThrow()
  attempts.forgive('a')
  attempts.take('a')
  expect(() => attempts.take('a')).toThrow()
  now = 1_000
  expect(() => attempts.take('a')).not.toThrow()
})

test('what was never taken can’t be taken back, so nobody gains attempts by it', () => {
  const attempts = createAttempts(() => new Date(0), 2)
  attempts.forgive('a')
  attempts.take('a')
  for (let n = 0; n < 3; n++) attempts.forgive('a')
  attempts.take('a', 2)
  expect(() => attempts.take('a')).toThrow()
})

test('an attacker with endless keys pushes out old ones, and memory stays', () => {
  const attempts = createAttempts(() => new Date(0), 1, 1_000, 3)
  for (const key of ['a', 'b', 'c', 'd']) attempts.take(key)
  expect(() => attempts.take('d')).toThrow()
  expect(() => attempts.take('a')).not.toThrow()
})

test('a call that counts for several needs room for all of them', () => {
  const attempts = createAttempts(() => new Date(0), 3)
  attempts.take('a', 2)
  expect(() => attempts.take('a', 2)).toThrow()
  expect(() => attempts.take('a', 1)).not.toThrow()
})

test('who has to wait is told for how long', () => {
  let now = 0
  const attempts = createAttempts(() => new Date(now), 1, 3_600_000)
  attempts.take('a')
  now = 60_500
  const refusal = { retryAfter: 3_540, message: "You're sending too many requests! Please retry after 59 minutes." }
  expect(() => attempts.take('a')).toThrow(expect.objectContaining(refusal))
})

test('after the free failures each wait is twice the one before, and trying within it prolongs nothing', () => {
  let now = 0
  const limits = { free: 2, firstMs: 1_000, longestMs: 5_000, forgetMs: 60_000 }
  const lockout = createLockout(() => new Date(now), limits)
  lockout.take('a')
  lockout.take('a')
  for (const wait of [1_000, 2_000, 4_000, 5_000, 5_000]) {
    const ends = now + wait
    for (now = ends - wait; now < ends; now += 250) expect(() => lockout.take('a')).toThrow()
    expect(() => lockout.take('b')).not.toThrow()
    lockout.forget('b')
    lockout.take('a')
  }
  lockout.forget('a')
  lockout.take('a')
  lockout.take('a')
  expect(() => lockout.take('a')).toThrow()
  now += 60_000
  lockout.take('a')
  expect(() => lockout.take('a')).not.toThrow()
})

test.each([
  [0, 1, 'one minute'],
  [1, 1, 'one minute'],
  [1_001, 2, 'one minute'],
  [60_000, 60, 'one minute'],
  [60_001, 61, '2 minutes'],
  [120_000, 120, '2 minutes'],
  [120_001, 121, '3 minutes'],
  [3_600_000, 3_600, '60 minutes'],
])('who has to wait %i ms is told to come again after %i s, in words after %s', (waitMs, seconds, words) => {
  const error = tooMany(waitMs)
  expect(error.retryAfter).toBe(seconds)
  expect(error.message).toContain(`Please retry after ${words}.`)
})
