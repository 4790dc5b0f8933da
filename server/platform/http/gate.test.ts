import pino from 'pino'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createTestClock } from '../../../tests/support/clock'
import type { Installation } from '../installation'
import { createAdmission, createGate, type GateLimits, gateLimits, withoutPlace } from './admission'

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
  const closed = (refuseMs: number) => {
    const log = pino({}, { write: (line: string) => lines.push(JSON.parse(line)) })
    const none = { ...limits, ofOne: 0, waitingOfOne: 0, refuseMs }
    return createAdmission({ log, clock } as unknown as Pick<Installation, 'db' | 'log' | 'clock'>, {
      ...gateLimits,
      turn: none,
    })
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
    const { shed } = closed(1_000)
    let told = 0
    const refusals = Array.from({ length: most + 3 }, () => shed('turn', { pgid: 'a' }).catch(() => told++))
    await vi.advanceTimersByTimeAsync(999)
    expect(told).toBe(3)
    await vi.advanceTimersByTimeAsync(1_001)
    await Promise.all(refusals)
    expect(told).toBe(most + 3)
  })
})
