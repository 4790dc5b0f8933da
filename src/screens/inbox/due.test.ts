import { expect, it } from 'vitest'
import { formatTime, timeLeft } from './due'

const MINUTE = 60_000
const at = '2026-11-24T12:00:00.000Z'
const before = (minutes: number) => timeLeft(at, Date.parse(at) - minutes * MINUTE)

it('counts down in minutes, hours and days, and up once it is over', () => {
  expect([90.2, 119, 120, 47 * 60, 49 * 60].map((minutes) => formatTime(before(minutes)))).toEqual([
    '91 min',
    '119 min',
    '2 hr',
    '47 hr',
    '2 days',
  ])
  expect(before(1).isOver).toBe(false)
  expect(before(-1)).toEqual({ isOver: true, ms: MINUTE })
})
