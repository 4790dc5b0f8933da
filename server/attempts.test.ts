import { expect, test } from 'vitest'
import { createAttempts } from './attempts'

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

test('an attacker with endless keys pushes out old ones, and memory stays', () => {
  const attempts = createAttempts(() => new Date(0), 1, 1_000, 3)
  for (const key of ['a', 'b', 'c', 'd']) attempts.take(key)
  expect(() => attempts.take('d')).toThrow()
  expect(() => attempts.take('a')).not.toThrow()
})
