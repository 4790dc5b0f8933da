import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createBackoff } from './backoff'
import { failureOf, retryAfterOf } from './transport'

const page = Object.assign(new EventTarget(), { visibilityState: 'visible' })
const network = new EventTarget()

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('document', page)
  vi.stubGlobal('addEventListener', network.addEventListener.bind(network))
  vi.stubGlobal('removeEventListener', network.removeEventListener.bind(network))
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

/** When each of so many attempts in a row is made, in ms. */
function waitsOf(count: number, random: () => number, atLeastMs?: number): number[] {
  const backoff = createBackoff(random)
  return Array.from({ length: count }, () => {
    const began = Date.now()
    let made = -1
    backoff.again(() => {
      made = Date.now() - began
    }, atLeastMs)
    vi.runAllTimers()
    return made
  })
}

test('the bound of a wait doubles up to half a minute, and the wait is anywhere below it', () => {
  expect(waitsOf(7, () => 1)).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000])
  expect(waitsOf(3, () => 0.25)).toEqual([250, 500, 1_000])
})

test('after a success the first wait is a short one again, and nothing is called any more', () => {
  const backoff = createBackoff(() => 1)
  const attempt = vi.fn()
  for (let n = 0; n < 5; n++) backoff.again(attempt)
  backoff.reset()
  vi.runAllTimers()
  expect(attempt).not.toHaveBeenCalled()
  backoff.again(attempt)
  vi.advanceTimersByTime(1_000)
  expect(attempt).toHaveBeenCalledTimes(1)
})

test('a network that is back, and a page that is looked at again, end the wait, once', () => {
  const attempt = vi.fn()
  const backoff = createBackoff(() => 1)
  backoff.again(attempt)
  network.dispatchEvent(new Event('online'))
  network.dispatchEvent(new Event('online'))
  expect(attempt).toHaveBeenCalledTimes(1)
  backoff.again(attempt)
  page.visibilityState = 'hidden'
  page.dispatchEvent(new Event('visibilitychange'))
  expect(attempt).toHaveBeenCalledTimes(1)
  page.visibilityState = 'visible'
  page.dispatchEvent(new Event('visibilitychange'))
  vi.runAllTimers()
  expect(attempt).toHaveBeenCalledTimes(2)
})

test('what the server asked for is waited for, whatever happens meanwhile', () => {
  expect(waitsOf(1, () => 0.5, 60_000)).toEqual([60_500])
  const attempt = vi.fn()
  const backoff = createBackoff(() => 0)
  backoff.again(attempt, 60_000)
  network.dispatchEvent(new Event('online'))
  backoff.hurry()
  vi.advanceTimersByTime(59_999)
  expect(attempt).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(attempt).toHaveBeenCalledTimes(1)
})

test.each([
  ['120', 120_000],
  ['Wed, 21 Oct 2026 07:28:10 GMT', 10_000],
  ['Wed, 21 Oct 2026 07:27:00 GMT', 0],
  ['soon', 0],
])('Retry-After: %s means %d ms', (value, ms) => {
  const now = () => Date.parse('2026-10-21T07:28:00Z')
  expect(retryAfterOf(new Headers({ 'retry-after': value }), now)).toBe(ms)
  expect(retryAfterOf(new Headers(), now)).toBe(0)
})

test('what is sent again by itself: where nothing answered, or not now', () => {
  const again = [408, 425, 429, 502, 503, 504, 520, 524]
  expect(again.map(failureOf)).toEqual(again.map(() => 'offline'))
  expect([400, 403, 409, 413, 422].map(failureOf)).toEqual(Array.from({ length: 5 }, () => 'refused'))
  expect([404, 500, 507].map(failureOf)).toEqual(['gone', 'failed', 'failed'])
})
