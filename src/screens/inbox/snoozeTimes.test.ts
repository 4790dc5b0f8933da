import { afterEach, beforeEach, expect, test } from 'vitest'
import { firstMoment, latestMoment, localMoment, momentOf, snoozeTimes } from './snoozeTimes'

const zone = process.env.TZ
beforeEach(() => {
  process.env.TZ = 'America/New_York'
})
afterEach(() => {
  process.env.TZ = zone
})

/** A Tuesday, eleven in the morning in New York. */
const now = new Date('2026-12-01T16:00:00Z')

test('the times to choose from are by the clock of who looks', () => {
  expect(snoozeTimes(now).map(({ name, at }) => [name, at.toISOString()])).toEqual([
    ['hour', '2026-12-01T17:00:00.000Z'],
    ['evening', '2026-12-01T23:00:00.000Z'],
    ['tomorrow', '2026-12-02T14:00:00.000Z'],
    ['monday', '2026-12-07T14:00:00.000Z'],
    ['week', '2026-12-08T14:00:00.000Z'],
  ])
})

test('a time of one’s own is by that clock too, and begins with tomorrow morning', () => {
  expect(firstMoment(now)).toBe('2026-12-02T09:00')
  expect(momentOf('2026-12-02T09:00', now)).toEqual({ at: new Date('2026-12-02T14:00:00Z') })
  expect(momentOf(localMoment(latestMoment(now)), now)).toHaveProperty('at')
})

test.each([
  ['', 'missing'],
  ['2026-12-02', 'missing'],
  ['2026-13-45T99:00', 'missing'],
  // eleven o'clock has just begun
  ['2026-12-01T11:00', 'past'],
  ['2026-12-01T10:59', 'past'],
  ['2027-12-03T11:00', 'late'],
] as const)('%s is %s', (value, problem) => {
  expect(momentOf(value, now)).toEqual({ problem })
})
