import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestClock, type TestClock } from '../../../tests/support/clock'
import { createTestDatabase, type TestDatabase } from '../../../tests/support/database'
import { type RedisServer, startRedisServer } from '../../../tests/support/redisServer'
import { parseConfig } from '../config/config'
import { createLimits, type Limits } from './limits'

let database: TestDatabase
let redis: RedisServer
let clock: TestClock
const open: Limits[] = []
beforeAll(async () => {
  ;[database, redis] = await Promise.all([createTestDatabase(), startRedisServer()])
  clock = createTestClock()
})
afterAll(async () => {
  for (const limits of open) limits.close()
  await Promise.all([redis?.close(), database?.close()])
})

/** A separate process. */
function process(url: string | null) {
  const config = { ...parseConfig({}), redisUrl: url }
  const limits = createLimits({ config, db: database.db, clock, log: pino({ level: 'silent' }) })
  open.push(limits)
  return limits
}
const REFUSED = expect.objectContaining({ code: 'too_many_requests' })
/** How many of the attempts are accepted. */
async function taken(limits: readonly Limits[], name: string, count: number): Promise<number> {
  let sum = 0
  for (let n = 0; n < count; n++) {
    const attempt = limits[n % limits.length]?.attempts(name, 4).take('ada')
    sum += await Promise.resolve(attempt).then(
      () => 1,
      (error) => {
        expect(error).toEqual(REFUSED)
        return 0
      },
    )
  }
  return sum
}

test('a limit of a name and key is one, and begins anew when its window is over', async () => {
  const one = process(null)
  expect(await taken([one], 'login', 6)).toBe(4)
  expect(await taken([one], 'reset', 6)).toBe(4)
  await one.attempts('login', 4).forgive('ada')
  expect(await taken([one], 'login', 6)).toBe(1)
  clock.pass(60)
  expect(await taken([one], 'login', 6)).toBe(4)
  const endless = one.attempts('endless', Number.POSITIVE_INFINITY)
  await Promise.all(Array.from({ length: 200 }, () => endless.take('ada')))
})

test('processes with a Redis count together, several at once and what is taken back among it', async () => {
  const both = [process(redis.url), process(redis.url)]
  const ready = (n: number) =>
    expect.poll(async () => {
      // counted by Redis, not only by the process, once both are connected
      const before = await taken(both, `ready ${n++}`, 8)
      return before
    })
  await ready(0).toBe(4)
  expect(await taken(both, 'login', 20)).toBe(4)
  const [one, other] = both.map((limits) => limits.attempts('several', 4))
  await one?.take('ada', 3)
  await expect(other?.take('ada', 2)).rejects.toEqual(REFUSED)
  await other?.take('bob', 4)
  await one?.forgive('bob')
  await one?.take('bob')
  await expect(one?.take('bob')).rejects.toEqual(REFUSED)
})

test('while Redis is away each process counts alone', async () => {
  const both = [process(redis.url), process(redis.url)]
  await redis.stop()
  expect(await taken(both, 'away', 20)).toBe(8)
})
