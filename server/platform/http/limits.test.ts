import pino from 'pino'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
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

test('a Redis that says nothing holds up an attempt for less than a second, then the process counts alone', async () => {
  const both = [process(redis.url), process(redis.url)]
  let n = 0
  // once both are connected
  await expect.poll(() => taken(both, `connected ${n++}`, 8)).toBe(4)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  redis.freeze(true)
  try {
    let counted = false
    const attempt = taken(both, 'silent', 1).then(() => {
      counted = true
    })
    await new Promise(setImmediate)
    await vi.advanceTimersByTimeAsync(1_000)
    expect(counted).toBe(true)
    await attempt
  } finally {
    redis.freeze(false)
    vi.useRealTimers()
  }
})

test('while Redis is away each process counts alone', async () => {
  const both = [process(redis.url), process(redis.url)]
  await redis.stop()
  expect(await taken(both, 'away', 20)).toBe(8)
})

/** Whether a place was taken, and how it is left. */
async function enter(limits: Limits | undefined, name: string, windowMs: number) {
  const entered = await limits?.places(name, windowMs).enter('ada', 2, 1)
  return entered && 'leaves' in entered ? (entered.leaves[0] ?? null) : null
}

test('a place is taken until a window after it was left', async () => {
  const one = process(null)
  const [first, second] = [await enter(one, 'calls', 10_000), await enter(one, 'calls', 10_000)]
  expect(await one.places('calls', 10_000).enter('ada', 2, 1)).toEqual({ waitMs: 10_000 })
  expect(await one.places('calls', 10_000).enter('ada', 3, 1)).toHaveProperty('leaves')
  clock.pass(4)
  first?.()
  expect(await one.places('calls', 10_000).enter('bob', 2, 1)).toHaveProperty('leaves')
  clock.pass(1)
  second?.()
  expect(await one.places('calls', 10_000).enter('ada', 2, 1)).toEqual({ waitMs: 9_000 })
  clock.pass(9)
  // the third was never left
  expect(await one.places('calls', 10_000).enter('ada', 2, 1)).toEqual({ waitMs: 1_000 })
  clock.pass(1)
  expect(await enter(one, 'calls', 10_000)).not.toBe(null)
})

test('processes with a Redis share places, by the Redis’s clock', async () => {
  await redis.start()
  const both = [process(redis.url), process(redis.url)]
  let n = 0
  // once both are connected
  await expect
    .poll(async () => {
      const name = `ready ${n++}`
      const entered = []
      for (const each of [...both, ...both]) entered.push(await enter(each, name, 3_600_000))
      return entered.filter((leave) => leave !== null).length
    })
    .toBe(2)
  const [one, other] = both
  const leave = await enter(one, 'calls', 3_600_000)
  expect(await enter(other, 'calls', 3_600_000)).not.toBe(null)
  leave?.()
  const left = await one?.places('calls', 3_600_000).enter('ada', 2, 1)
  expect(left).toEqual({ waitMs: expect.any(Number) })
  expect((left as { waitMs: number }).waitMs).toBeLessThanOrEqual(3_600_000)
  // several at once, as far as there are some
  const several = await one?.places('several', 3_600_000).enter('ada', 3, 2)
  const rest = await other?.places('several', 3_600_000).enter('ada', 3, 2)
  expect([several, rest]).toMatchObject([{ leaves: [{}, {}] }, { leaves: [{}] }])
  expect(await one?.places('several', 3_600_000).enter('ada', 3, 2)).toHaveProperty('waitMs')
  // a window that is soon over
  const first = await enter(one, 'short', 1)
  expect(await enter(other, 'short', 1)).not.toBe(null)
  expect(await enter(other, 'short', 1)).toBe(null)
  first?.()
  await expect.poll(() => enter(other, 'short', 1)).not.toBe(null)
})
