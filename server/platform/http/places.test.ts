import { Redis } from 'ioredis'
import { expect, test } from 'vitest'
import { createTestClock } from '../../../tests/support/clock'
import { startRedisServer } from '../../../tests/support/redisServer'
import { createPlaces, createSharedPlaces } from './places'

test('a place is free again a window after it was left, however many others are taken meanwhile', () => {
  const clock = createTestClock()
  const { enter } = createPlaces(clock, 1_000)
  const first = enter('a', 1, 1)
  expect(first).toMatchObject({ leaves: [expect.any(Function)] })
  // more keys than are remembered without being looked through
  for (let n = 0; n <= 10_000; n++) expect(enter(`other ${n}`, 1, 1)).toHaveProperty('leaves')
  expect(enter('a', 1, 1)).toEqual({ waitMs: 1_000 })
  if ('leaves' in first) first.leaves[0]?.()
  clock.pass(0.999)
  expect(enter('a', 1, 1)).toEqual({ waitMs: 1 })
  clock.pass(0.001)
  expect(enter('a', 1, 1)).toHaveProperty('leaves')
})

test('who finds all shared places taken waits, also where it is for a moment alone', async () => {
  const redis = await startRedisServer()
  const client = new Redis(redis.url)
  try {
    const { enter } = createSharedPlaces(client, 1)
    expect(await enter('a', 2, 5)).toEqual({ leaves: [expect.any(Function), expect.any(Function)] })
    expect(await enter('a', 2, 1)).toEqual({ waitMs: 1 })
  } finally {
    client.disconnect()
    await redis.close()
  }
})
