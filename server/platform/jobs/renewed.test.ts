import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { HELD_FOR, renewed } from './renewed'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('what is held is renewed, well before it ends, as long as the work takes, and not afterwards', async () => {
  let renewals = 0
  let done = () => {}
  const work = renewed(
    async () => void renewals++,
    () =>
      new Promise<string>((resolve) => {
        done = () => resolve('done')
      }),
  )
  await vi.advanceTimersByTimeAsync(HELD_FOR)
  expect(renewals).toBeGreaterThanOrEqual(2)
  done()
  expect(await work).toBe('done')
  const before = renewals
  await vi.advanceTimersByTimeAsync(HELD_FOR)
  expect(renewals).toBe(before)
})

test('a renewal that fails ends nothing, and work that fails is renewed no more', async () => {
  let renewals = 0
  const renew = async () => {
    renewals++
    throw new Error('the database is away')
  }
  const failing = renewed(renew, () => new Promise((_, reject) => setTimeout(() => reject(new Error('no')), 12_000)))
  const caught = expect(failing).rejects.toThrow('no')
  await vi.advanceTimersByTimeAsync(12_000)
  await caught
  const before = renewals
  expect(before).toBeGreaterThan(0)
  await vi.advanceTimersByTimeAsync(HELD_FOR)
  expect(renewals).toBe(before)
})
