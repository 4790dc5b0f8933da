import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createPressure } from './pressure'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** Calls that end when the test says so. */
function calls(pressure: ReturnType<typeof createPressure>, count: number) {
  const ends: (() => void)[] = []
  for (let at = 0; at < count; at++) void pressure.during(() => new Promise<void>((resolve) => ends.push(resolve)))
  return ends
}
async function isDone(promise: Promise<void>): Promise<boolean> {
  let done = false
  void promise.then(() => {
    done = true
  })
  await vi.advanceTimersByTimeAsync(0)
  return done
}

test('later work goes on at once while few calls are open', async () => {
  const pressure = createPressure(2)
  expect(await isDone(pressure.eased())).toBe(true)
  calls(pressure, 2)
  expect(await isDone(pressure.eased())).toBe(true)
})

test('later work waits while many are open, and goes on when they have ended', async () => {
  const pressure = createPressure(2)
  const ends = calls(pressure, 4)
  const eased = pressure.eased()
  expect(await isDone(eased)).toBe(false)
  ends[0]?.()
  expect(await isDone(eased)).toBe(false)
  ends[1]?.()
  expect(await isDone(eased)).toBe(true)
})

test('later work waits ten seconds at most, and a call that fails has ended as well', async () => {
  const pressure = createPressure(0)
  await pressure.during(() => Promise.reject(new Error('no luck'))).catch(() => {})
  expect(await isDone(pressure.eased())).toBe(true)
  calls(pressure, 1)
  const eased = pressure.eased()
  await vi.advanceTimersByTimeAsync(9_999)
  expect(await isDone(eased)).toBe(false)
  await vi.advanceTimersByTimeAsync(1)
  expect(await isDone(eased)).toBe(true)
  // and does not wait again before it was calm
  expect(await isDone(pressure.eased())).toBe(true)
})
