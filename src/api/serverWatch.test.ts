import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ApiFailure } from './failure'
import { createServerWatch, isNoAnswer } from './serverWatch'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** A simulated server, and how often it was asked. */
function aServer(there: boolean) {
  const server = { there, asked: 0 }
  const ask = async () => {
    server.asked++
    return server.there
  }
  return { server, ask }
}
const settle = () => vi.advanceTimersByTimeAsync(0)

test('one call without an answer says nothing when the server is there', async () => {
  const { server, ask } = aServer(true)
  const watch = createServerWatch({ ask })
  watch.suspect()
  await settle()
  expect(watch.store.getState()).toEqual({ away: false, asking: false, nextAt: null })
  await vi.advanceTimersByTimeAsync(60_000)
  expect(server.asked).toBe(1)
})

test('a server that is away is asked at growing distances, never further apart than 20 s, until it is back', async () => {
  const { server, ask } = aServer(false)
  const waits: number[] = []
  const watch = createServerWatch({ ask, random: () => 1 })
  watch.store.subscribe(({ nextAt }) => nextAt !== null && waits.push(nextAt - Date.now()))
  const returned = vi.fn()
  watch.onReturn(returned)
  watch.suspect()
  for (let second = 0; second < 90; second++) await vi.advanceTimersByTimeAsync(1_000)
  expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 20_000, 20_000, 20_000])
  expect(returned).not.toHaveBeenCalled()
  server.there = true
  await vi.advanceTimersByTimeAsync(20_000)
  expect(watch.store.getState()).toEqual({ away: false, asking: false, nextAt: null })
  expect(returned).toHaveBeenCalledTimes(1)
  const { asked } = server
  await vi.advanceTimersByTimeAsync(120_000)
  expect(server.asked).toBe(asked)
})

test('pages that lost one server do not come back in one moment', async () => {
  const nexts = await Promise.all(
    [0, 0.5, 1].map(async (random) => {
      const watch = createServerWatch({ ask: aServer(false).ask, random: () => random, clock: () => 0 })
      watch.suspect()
      await settle()
      return watch.store.getState().nextAt
    }),
  )
  expect(nexts).toEqual([500, 750, 1_000])
})

test('who asks at once is answered at once, and many calls that fail ask once', async () => {
  const { server, ask } = aServer(false)
  const watch = createServerWatch({ ask })
  for (let call = 0; call < 20; call++) watch.suspect()
  await settle()
  expect(server.asked).toBe(1)
  // already known: no further request
  watch.suspect()
  await settle()
  expect(server.asked).toBe(1)
  server.there = true
  watch.tryNow()
  await settle()
  expect(watch.store.getState().away).toBe(false)
})

test('what waits for the server goes on once it is there', async () => {
  const { server, ask } = aServer(false)
  const watch = createServerWatch({ ask, random: () => 1 })
  let there = false
  void watch.whenThere().then(() => {
    there = true
  })
  await vi.advanceTimersByTimeAsync(2_000)
  expect(there).toBe(false)
  server.there = true
  await vi.advanceTimersByTimeAsync(4_000)
  expect(there).toBe(true)
})

test('a server that is busy, or says no, is there', () => {
  const failure = (status: number | undefined, code?: string) => new ApiFailure('', { status, code })
  const away = [failure(undefined, '2011'), failure(502, '2012'), failure(503, 'unavailable'), failure(504)]
  expect(away.map(isNoAnswer)).toEqual([true, true, true, true])
  const there = [failure(503, 'overloaded'), failure(500), failure(404), failure(429), new Error('else')]
  expect(there.map(isNoAnswer)).toEqual([false, false, false, false, false])
})
