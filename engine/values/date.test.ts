import fc from 'fast-check'
import { expect, test } from 'vitest'
import { clockIn, type DateMode, inTimeZone, isTimeZone, parseDate } from './date'

test.each<[string, DateMode, string | null]>([
  ['2026-11-21', 'date', '2026-11-21'],
  [' 2024-02-29\n', 'date', '2024-02-29'],
  ['2000-02-29', 'date', '2000-02-29'],
  ['0001-01-01', 'date', '0001-01-01'],
  ['2026-02-29', 'date', null],
  ['1900-02-29', 'date', null],
  ['2026-04-31', 'date', null],
  ['2026-13-01', 'date', null],
  ['2026-00-01', 'date', null],
  ['2026-01-00', 'date', null],
  ['2026-01-32', 'date', null],
  ['0000-01-01', 'date', null],
  ['2026-1-1', 'date', null],
  ['21.11.2026', 'date', null],
  ['11/21/2026', 'date', null],
  ['tomorrow', 'date', null],
  ['', 'date', null],
  ['2026-11-21T09:30', 'date', null],
  ['٢٠٢٦-١١-٢١', 'date', null],
  ['09:30', 'time', '09:30'],
  ['23:59:59', 'time', '23:59:59'],
  ['09:30:00', 'time', '09:30'],
  ['24:00', 'time', null],
  ['09:60', 'time', null],
  ['9:30', 'time', null],
  ['09:30 pm', 'time', null],
  ['00:00', 'time', '00:00'],
  ['2026-11-21T09:30', 'date-time', '2026-11-21T09:30'],
  ['2026-11-21 09:30', 'date-time', '2026-11-21T09:30'],
  ['2026-11-21t09:30:15', 'date-time', '2026-11-21T09:30:15'],
  ['2026-11-21T09:30+01:00', 'date-time', '2026-11-21T09:30+01:00'],
  ['2026-11-21T09:30:00-05:30', 'date-time', '2026-11-21T09:30-05:30'],
  ['2026-11-21T09:30Z', 'date-time', '2026-11-21T09:30Z'],
  ['2026-11-21', 'date-time', null],
  ['2026-11-21T', 'date-time', null],
  ['2026-11-21x09:30', 'date-time', null],
  ['2026-11-2109:30', 'date-time', null],
  ['2026-11-21T09:30+25:00', 'date-time', null],
  ['2026-02-30T09:30', 'date-time', null],
  ['2026-11-21T09:30 Europe/Berlin', 'date-time', null],
])('%j as a %s -> %j', (input, mode, expected) => {
  expect(parseDate(input, mode)).toBe(expected)
})

test.each([
  ['2026-11-21T09:30', 'Europe/Berlin', '2026-11-21T09:30+01:00'],
  ['2026-07-21T09:30:15', 'Europe/Berlin', '2026-07-21T09:30:15+02:00'],
  ['2026-11-21T09:30', 'America/New_York', '2026-11-21T09:30-05:00'],
  ['2026-11-21T09:30', 'Asia/Kathmandu', '2026-11-21T09:30+05:45'],
  ['2026-11-21T09:30', 'UTC', '2026-11-21T09:30+00:00'],
  ['2026-11-21T23:30-05:00', 'Asia/Tokyo', '2026-11-22T13:30+09:00'],
  ['2026-01-01T00:10:20Z', 'America/New_York', '2025-12-31T19:10:20-05:00'],
  // clocks go back on 25 October at three: half past two occurs twice, first in summer time
  ['2026-10-25T02:30', 'Europe/Berlin', '2026-10-25T02:30+02:00'],
  ['2026-10-25T03:30', 'Europe/Berlin', '2026-10-25T03:30+01:00'],
  // clocks go forward on 29 March at two: half past two does not exist, and is read as winter time
  ['2026-03-29T02:30', 'Europe/Berlin', '2026-03-29T02:30+01:00'],
  ['2026-03-29T03:30', 'Europe/Berlin', '2026-03-29T03:30+02:00'],
  ['0099-01-01T00:00', 'UTC', '0099-01-01T00:00+00:00'],
])('%s in %s is %s', (local, zone, expected) => {
  expect(inTimeZone(local, zone)).toBe(expected)
})

test('a zone’s clock shows what JavaScript’s own calendar says it does', () => {
  const zones = ['Europe/Berlin', 'America/St_Johns', 'Pacific/Apia', 'Asia/Kolkata', 'Africa/Monrovia']
  const instants = fc.date({ min: new Date('1975-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
  const property = fc.property(instants, fc.constantFrom(...zones), (instant, timeZone) => {
    const shown = clockIn(instant.toISOString(), timeZone)
    expect(shown).toBe(instant.toLocaleString('sv', { timeZone }).slice(0, 16).replace(' ', 'T'))
    const whole = `${instant.toISOString().slice(0, 16)}Z`
    expect(new Date(inTimeZone(whole, timeZone)).toISOString().slice(0, 16)).toBe(whole.slice(0, 16))
  })
  fc.assert(property, { seed: 20261121, numRuns: 500 })
})

test('zones are known by name', () => {
  expect(['Europe/Berlin', 'UTC', 'America/New_York'].every(isTimeZone)).toBe(true)
  expect(['', 'Europe/Nowhere', '+01:00', 'Berlin'].some(isTimeZone)).toBe(false)
})
