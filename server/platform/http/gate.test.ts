import pino from 'pino'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createTestClock } from '../../../tests/support/clock'
import type { Installation } from '../installation'
import { createAdmission, createGate, type GateLimits, gateLimits, type Load, withoutPlace } from './admission'

const limits: GateLimits = {
  atOnce: 4,
  ofOne: 2,
  waitingOfOne: 1,
  waiting: 6,
  outsideOfOne: 2,
  waitMs: 60_000,
  refuseMs: 0,
}
const code = (call: Promise<unknown>) =>
  call.then(
    () => 'done',
    (error) => error.code as string,
  )

test('a call that ends while it waits outside is one less outside, neither more nor less', async () => {
  const { run } = createGate(limits)
  for (let n = 0; n < 5; n++)
    await run('a', async (place) => {
      place.leave()
    })
  const answers: (() => void)[] = []
  const service = () => new Promise<void>((resolve) => answers.push(resolve))
  const outside = [1, 2].map(() => run('a', (place) => withoutPlace(place, service)))
  await vi.waitFor(() => expect(answers).toHaveLength(2))
  expect(await code(run('a', async () => {}))).toBe('overloaded')
  for (const answer of answers) answer()
  await Promise.all(outside)
  expect(await code(run('a', async () => {}))).toBe('done')
})

describe('refusals', () => {
  const clock = createTestClock()
  let lines: Record<string, unknown>[]
  beforeEach(() => {
    lines = []
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  })
  afterEach(() => {
    vi.useRealTimers()
  })
  /** An admission of which no call gets in. */
  const closed = (refuseMs: number, hold?: (ms: number) => Promise<unknown>) => {
    const log = pino({}, { write: (line: string) => lines.push(JSON.parse(line)) })
    const none = { ...limits, ofOne: 0, waitingOfOne: 0, refuseMs }
    const context = { log, clock } as unknown as Pick<Installation, 'db' | 'log' | 'clock'>
    return createAdmission(context, { ...gateLimits, turn: none }, hold)
  }

  test('who runs the server is told of refusals every 10 s, of how many since', async () => {
    const { shed } = closed(0)
    const refuse = async (count: number) => {
      const refusals = Array.from({ length: count }, () => code(shed('turn', { pgid: 'a' })))
      await vi.advanceTimersByTimeAsync(1)
      expect(new Set(await Promise.all(refusals))).toEqual(new Set(['overloaded']))
      return lines.splice(0).map(({ refused }) => refused)
    }
    expect(await refuse(3)).toEqual([1])
    clock.pass(9.999)
    expect(await refuse(2)).toEqual([])
    clock.pass(0.001)
    expect(await refuse(1)).toEqual([5])
    clock.pass(10)
    expect(await refuse(1)).toEqual([1])
  })

  test('a refusal is held for a moment, except of more than can be held', async () => {
    const most = 5_000
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const { shed } = closed(1_000, () => held)
    let told = 0
    const refusals = Array.from({ length: most + 3 }, () => shed('turn', { pgid: 'a' }).catch(() => told++))
    await Promise.all(refusals.slice(most))
    expect(told).toBe(3)
    release()
    await Promise.all(refusals)
    expect(told).toBe(most + 3)
  })

  test('a hundred who are refused together wait for different times, up to twice as long as the first', async () => {
    const pauses: number[] = []
    const { shed } = closed(10, async (ms) => pauses.push(ms))
    await Promise.all(Array.from({ length: 100 }, () => code(shed('turn', { pgid: 'a' }))))
    expect(new Set(pauses).size).toBe(100)
    expect(Math.min(...pauses)).toBe(10)
    expect(Math.max(...pauses)).toBeGreaterThan(19)
  })
})

describe.each<[load: Load, longestMs: number]>([
  ['turn', 50],
  // a draft of thousands of blocks (server/modules/flows/drafts/README.md)
  ['draft', 3_000],
])('as a server is set up, for calls such as a %s, of at most %d ms', (load, longestMs) => {
  const { atOnce, ofOne, waiting, waitingOfOne, waitMs, refuseMs } = gateLimits[load]

  test('whoever is let in to wait is served before that is given up', () => {
    expect(Math.ceil(waiting / atOnce) * longestMs).toBeLessThan(waitMs)
    expect(Math.ceil(waitingOfOne / ofOne) * longestMs).toBeLessThan(waitMs)
  })

  test('one tenant leaves others places, and most of those to wait at', () => {
    expect(ofOne).toBeLessThan(atOnce)
    expect(waitingOfOne).toBeLessThanOrEqual(waiting / 4)
  })

  test('whoever is refused learns it before a client would come back that is told to: within three seconds', () => {
    expect(2 * refuseMs).toBeLessThanOrEqual(3_000)
  })
})
