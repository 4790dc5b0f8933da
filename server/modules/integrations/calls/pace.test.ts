import { expect, test } from 'vitest'
import { createTestClock } from '../../../../tests/support/clock'
import { ApiError } from '../../../platform/errors'
import { createPlaces } from '../../../platform/http/places'
import { CallLimit } from '../../../sandbox/callLimit'
import { createPaces, type Room, type Wait } from './pace'

/** Paces of one process, with the clock of the test. */
function startPaces() {
  const clock = createTestClock()
  const known = new Map<string, ReturnType<typeof createPlaces>>()
  let asked = 0
  const limits = {
    places(name: string, windowMs: number) {
      const own = known.get(name) ?? createPlaces(clock, windowMs)
      known.set(name, own)
      return {
        async enter(key: string, most: number, wanted: number) {
          asked++
          return own.enter(key, most, wanted)
        },
      }
    },
  }
  const time = simulateTime(clock)
  const process = () => createPaces({ limits, clock }, time.wait)
  return { clock, time, process, paces: process(), asked: () => asked }
}

/** Waits that end in their order, each when the time has come to it. */
function simulateTime(clock: ReturnType<typeof createTestClock>) {
  const waiting: { due: number; end: () => void }[] = []
  const wait: Wait = (ms, signal) =>
    new Promise((resolve, reject) => {
      const one = { due: clock().getTime() + ms, end: resolve }
      waiting.push(one)
      signal?.addEventListener('abort', () => {
        waiting.splice(waiting.indexOf(one), 1)
        reject(signal.reason)
      })
    })
  return {
    wait,
    /** Lets time pass until the work is done. */
    async until<Value>(work: Promise<Value>): Promise<Value> {
      let isOver = false
      const over = work.finally(() => {
        isOver = true
      })
      over.catch(() => {})
      for (;;) {
        // what can go on without time does so first
        await new Promise((resolve) => setImmediate(resolve))
        if (isOver) return over
        const next = waiting.sort((a, b) => a.due - b.due).shift()
        if (!next) continue
        clock.pass(Math.max(0, next.due - clock().getTime()) / 1_000)
        next.end()
      }
    },
  }
}
const CALLS = 700
const pace = { bucket: 'search', most: 4, windowMs: 1_000 }
const at = <Value>(clock: () => Date, from: number, value: Value) => ({ at: clock().getTime() - from, value })

test('lets no more through than allowed, in their order, and asks hardly more often than it lets through', async () => {
  const { clock, time, paces, asked } = startPaces()
  const granted: { at: number; value: number }[] = []
  const from = clock().getTime()
  const each = async (who: number) => {
    const room = await paces.take('crm:search', 'a', pace)
    granted.push(at(clock, from, who))
    room.leave()
  }
  await time.until(Promise.all(Array.from({ length: 30 }, (_, who) => each(who))))
  expect(granted.map(({ value }) => value)).toEqual(Array.from({ length: 30 }, (_, who) => who))
  for (const one of granted)
    expect(granted.filter((other) => other.at >= one.at && other.at < one.at + 1_000).length).toBeLessThanOrEqual(4)
  expect(granted.at(-1)?.at).toBe(7 * 1_020)
  expect(asked()).toBeLessThan(40)
})

test.each([1, 3])(
  'a vendor that counts late refuses nobody, in nearly the least time, with processes: %i',
  async (count) => {
    const { clock, time, process } = startPaces()
    const processes = Array.from({ length: count }, process)
    const limit = new CallLimit(110, 10)
    const wide = { bucket: 'calls', most: 110, windowMs: 10_000 }
    const from = clock().getTime()
    let refused = 0
    // on their way for up to 300 ms, back for up to 200
    const slow = (n: number) => (n * 7_919) % 300
    const each = async (n: number) => {
      const room = await processes[n % count]?.take('crm:calls', 'a', wide)
      await time.wait(slow(n))
      if (limit.count('', clock()).left < 0) refused++
      await time.wait(slow(n + 1) * (2 / 3))
      room?.leave()
    }
    await time.until(Promise.all(Array.from({ length: CALLS }, (_, n) => each(n))))
    expect(refused).toBe(0)
    const least = (Math.ceil(CALLS / 110) - 1) * 10_000
    expect((clock().getTime() - from) / least).toBeLessThan(1.05)
  },
)

test('who never leaves keeps a place for half a minute more', async () => {
  const { clock, time, paces } = startPaces()
  const from = clock().getTime()
  const one = { ...pace, most: 1 }
  await paces.take('crm:search', 'a', one)
  await time.until(paces.take('crm:search', 'a', one))
  expect(clock().getTime() - from).toBe(31_020)
})

test('as many as the vendor says, and nobody while it is busy', async () => {
  const { clock, time, paces } = startPaces()
  const from = clock().getTime()
  const passed = () => clock().getTime() - from
  const first = await paces.take('crm:search', 'a', pace)
  first.leave()
  first.allow(6)
  const rooms: Room[] = []
  for (let n = 0; n < 5; n++) rooms.push(await paces.take('crm:search', 'a', pace))
  expect(passed()).toBe(0)
  for (const room of rooms) room.leave()
  rooms[0]?.hold(7_000)
  rooms[1]?.hold(3_000)
  await paces.take('crm:search', 'other', pace)
  expect(passed()).toBe(0)
  await time.until(paces.take('crm:search', 'a', pace))
  expect(passed()).toBe(7_000)
})

test('connections do not wait for each other', async () => {
  const { clock, paces } = startPaces()
  const before = clock().getTime()
  await Promise.all(Array.from({ length: 20 }, (_, n) => paces.take('crm:search', `connection ${n}`, pace)))
  expect(clock().getTime()).toBe(before)
})

test('what was taken for those who leave the queue is free again for others a window later', async () => {
  const { clock, time, process, paces } = startPaces()
  const other = process()
  const leaving = new AbortController()
  const [first, gone] = [paces.take('crm:search', 'a', pace), paces.take('crm:search', 'a', pace, leaving.signal)]
  leaving.abort(new ApiError('unavailable'))
  await expect(gone).rejects.toThrow('not available')
  ;(await first).leave()
  const from = clock().getTime()
  for (let n = 0; n < 4; n++) await time.until(other.take('crm:search', 'a', pace))
  expect(clock().getTime() - from).toBe(1_020)
})

test('one that is called off leaves the queue to the others', async () => {
  const { time, paces } = startPaces()
  const leaving = new AbortController()
  for (let n = 0; n < 4; n++) await paces.take('crm:search', 'a', pace)
  const gone = paces.take('crm:search', 'a', pace, leaving.signal)
  const next = paces.take('crm:search', 'a', pace)
  leaving.abort(new ApiError('unavailable'))
  await expect(gone).rejects.toThrow('not available')
  await time.until(next)
})
