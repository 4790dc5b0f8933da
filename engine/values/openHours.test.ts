import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { afterOpenMinutes, clashOf, type Hours, type OpenHours, opennessAt } from './openHours'

const at = (iso: string) => Date.parse(iso) / 60_000
const iso = (minute: number | null) => (minute === null ? null : new Date(minute * 60_000).toISOString().slice(0, 16))
const day: Hours = { from: 9 * 60, to: 17 * 60 }
const office: OpenHours = {
  time_zone: 'Europe/Berlin',
  week: [[day], [day], [day], [day], [day], [], []],
  exceptions: [],
}
const until = (hours: OpenHours, when: string) => {
  const { open, until } = opennessAt(hours, at(when))
  return [open ? 'open' : 'closed', iso(until)]
}

describe('hours of a week', () => {
  it('are those that the zone’s clocks show, winter and summer', () => {
    expect(until(office, '2026-01-12T07:59Z')).toEqual(['closed', '2026-01-12T08:00'])
    expect(until(office, '2026-01-12T08:00Z')).toEqual(['open', '2026-01-12T16:00'])
    expect(until(office, '2026-07-13T07:00Z')).toEqual(['open', '2026-07-13T15:00'])
    // from Friday evening to Monday, over the night in which the clock is put forward
    expect(until(office, '2026-03-27T16:00Z')).toEqual(['closed', '2026-03-30T07:00'])
  })

  it('give way to an exception, and come back after a run of them', () => {
    const closed = Array.from({ length: 12 }, (_, index) => ({
      date: `2026-12-${21 + index - (index > 10 ? 11 : 0)}`,
      hours: [],
    }))
    const holidays = {
      ...office,
      exceptions: [...closed.slice(0, 11), { date: '2027-01-01', hours: [{ from: 600, to: 660 }] }],
    }
    expect(until(holidays, '2026-12-18T16:00Z')).toEqual(['closed', '2027-01-01T09:00'])
    expect(until(holidays, '2027-01-01T10:00Z')).toEqual(['closed', '2027-01-04T08:00'])
  })

  it('that are none, or all, stay so for ever', () => {
    const whole = { from: 0, to: 1_440 }
    const week = [[whole], [whole], [whole], [whole], [whole], [whole], [whole]]
    expect(until({ ...office, week }, '2026-03-28T23:00Z')).toEqual(['open', null])
    expect(until({ ...office, week: [[], [], [], [], [], [], []] }, '2026-03-28T23:00Z')).toEqual(['closed', null])
    const once = [{ date: '2030-05-01', hours: [day] }]
    expect(until({ ...office, week: [[], [], [], [], [], [], []], exceptions: once }, '2026-03-28T23:00Z')).toEqual([
      'closed',
      '2030-05-01T07:00',
    ])
  })

  it('of the night in which the clock is put forward begin when it is', () => {
    const night = { ...office, week: [[], [], [], [], [], [], [{ from: 150, to: 300 }]] }
    // 02:00 becomes 03:00
    expect(until(night, '2026-03-29T00:00Z')).toEqual(['closed', '2026-03-29T01:00'])
    // 03:00 becomes 02:00: half past two comes twice
    expect(until(night, '2026-10-25T00:30Z')).toEqual(['open', '2026-10-25T01:00'])
    expect(until(night, '2026-10-25T01:00Z')).toEqual(['closed', '2026-10-25T01:30'])
  })
})

/** The same, minute by minute. */
function slow(hours: OpenHours, instant: number, most: number) {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: hours.time_zone,
    weekday: 'short',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
  const isOpen = (minute: number): boolean => {
    const parts = Object.fromEntries(format.formatToParts(minute * 60_000).map(({ type, value }) => [type, value]))
    const date = `${parts.year}-${parts.month}-${parts.day}`
    const clock = Number(parts.hour) * 60 + Number(parts.minute)
    const weekday = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'].indexOf(parts.weekday ?? '')
    const today = hours.exceptions.find((each) => each.date === date)?.hours ?? hours.week[weekday] ?? []
    return today.some(({ from, to }) => clock >= from && clock < to)
  }
  const open = isOpen(instant)
  for (let minute = instant + 1; minute <= instant + most; minute++)
    if (isOpen(minute) !== open) return { open, until: minute }
  return { open, until: null }
}

it('is what a look at each minute finds, in any zone and around changes of the clock', () => {
  const some = fc.array(
    fc.record({ from: fc.nat(1_439), long: fc.integer({ min: 1, max: 600 }) }).map(({ from, long }) => ({
      from,
      to: Math.min(1_440, from + long),
    })),
    { maxLength: 2 },
  )
  const zones = [
    'Europe/Berlin',
    'America/New_York',
    'Australia/Lord_Howe',
    'Asia/Kathmandu',
    'America/Sao_Paulo',
    'UTC',
  ]
  const near = fc.constantFrom(
    '2026-03-29T00:00Z',
    '2026-10-25T00:00Z',
    '2026-11-01T05:00Z',
    '2026-04-04T15:00Z',
    '2026-12-31T22:00Z',
  )
  const schedule = fc.record({
    time_zone: fc.constantFrom(...zones),
    week: fc.array(some, { minLength: 7, maxLength: 7 }),
    exceptions: fc.array(
      fc.record({
        date: fc.constantFrom('2026-03-29', '2026-03-30', '2026-10-25', '2026-11-01', '2026-04-05', '2027-01-01'),
        hours: some,
      }),
      { maxLength: 1 },
    ),
  })
  fc.assert(
    fc.property(schedule, near, fc.integer({ min: -2_000, max: 2_000 }), (hours, around, by) => {
      const instant = at(around) + by
      const most = 4 * 1_440
      const { open, until } = opennessAt(hours, instant)
      const expected = slow(hours, instant, most)
      expect({ open, until: until !== null && until <= instant + most ? until : null }).toEqual(expected)
    }),
    { numRuns: 150, seed: 20261123 },
  )
})

it('names the hours of a day that overlap or end before they begin', () => {
  expect(clashOf([])).toBeNull()
  expect(clashOf([day, { from: day.to, to: 1_440 }])).toBeNull()
  expect(clashOf([day, { from: 960, to: 1_080 }])).toBe(1)
  expect(clashOf([{ from: 600, to: 600 }])).toBe(0)
})

const nineToFive = {
  time_zone: 'Europe/Zurich',
  week: Array.from({ length: 7 }, (_, day) =>
    day < 5
      ? [
          { from: 540, to: 720 },
          { from: 780, to: 1_020 },
        ]
      : [],
  ),
  exceptions: [{ date: '2026-03-30', hours: [] }],
}
const minuteAt = (iso: string) => Date.parse(iso) / 60_000

it.each([
  ['within the hours', '2026-03-27T08:00:00Z', 30],
  ['over lunch', '2026-03-27T10:30:00Z', 90],
  ['over a weekend, a change of the clock and a holiday', '2026-03-27T15:59:00Z', 2],
  ['from the night on', '2026-03-26T22:00:00Z', 30],
])('open minutes pass %s as a count of each minute has it', (_, from, minutes) => {
  let left = minutes
  let at = minuteAt(from)
  for (; left > 0; at++) if (opennessAt(nineToFive, at).open) left--
  expect(afterOpenMinutes(nineToFive, minuteAt(from), minutes)).toBe(at)
})

it('hours that never come have no end, and a deadline looks ahead only so far', () => {
  const never = { time_zone: 'UTC', week: Array.from({ length: 7 }, () => []), exceptions: [] }
  expect(afterOpenMinutes(never, 0, 1)).toBeNull()
  const seldom = { ...never, week: never.week.map((_, day) => (day === 0 ? [{ from: 0, to: 1 }] : [])) }
  const far = afterOpenMinutes(seldom, 0, 20_160)
  expect(far).toBeGreaterThan(45 * 7 * 1_440)
  expect(far).toBeLessThan(55 * 7 * 1_440)
})
