import { expect, test } from 'vitest'
import { createTestClock } from '../../../../tests/support/clock'
import { ApiError } from '../../../platform/errors'
import { createAttempts } from '../../../platform/http/attempts'
import type { Limits } from '../../../platform/http/limits'
import { createPaces } from './pace'

/** Limits of one process, with the clock of the test. */
function startPaces() {
  const clock = createTestClock()
  const known = new Map<string, ReturnType<typeof createAttempts>>()
  let asked = 0
  const limits: Pick<Limits, 'attempts'> = {
    attempts(name, most, windowMs = 60_000) {
      const own = known.get(name) ?? createAttempts(clock, most, windowMs)
      known.set(name, own)
      return {
        async take(key) {
          asked++
          own.take(key)
        },
        forgive: async () => {},
      }
    },
  }
  const paces = createPaces({ limits: limits as Limits }, async (ms, signal) => {
    signal?.throwIfAborted()
    clock.pass(ms / 1_000)
  })
  return { clock, paces, asked: () => asked }
}
const pace = { bucket: 'search', most: 4, windowMs: 1_000 }

test('lets no more through than allowed, in their order, and asks hardly more often than it lets through', async () => {
  const { clock, paces, asked } = startPaces()
  const granted: { at: number; who: number }[] = []
  const each = async (who: number) => {
    await paces.take('crm:search', 'a', pace)
    granted.push({ at: clock().getTime(), who })
  }
  await Promise.all(Array.from({ length: 30 }, (_, who) => each(who)))
  expect(granted.map(({ who }) => who)).toEqual(Array.from({ length: 30 }, (_, who) => who))
  for (const { at } of granted)
    expect(granted.filter((one) => one.at >= at && one.at < at + 1_000).length).toBeLessThanOrEqual(4)
  expect(asked()).toBeLessThan(40)
})

test('connections do not wait for each other', async () => {
  const { clock, paces } = startPaces()
  const before = clock().getTime()
  await Promise.all(Array.from({ length: 20 }, (_, at) => paces.take('crm:search', `connection ${at}`, pace)))
  expect(clock().getTime()).toBe(before)
})

test('one that is called off leaves the queue to the others', async () => {
  const { paces } = startPaces()
  const leaving = new AbortController()
  for (let n = 0; n < 4; n++) await paces.take('crm:search', 'a', pace)
  const gone = paces.take('crm:search', 'a', pace, leaving.signal)
  const next = paces.take('crm:search', 'a', pace)
  leaving.abort(new ApiError('unavailable'))
  await expect(gone).rejects.toThrow('not available')
  await next
})
