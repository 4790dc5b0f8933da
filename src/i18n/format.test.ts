import { beforeAll, expect, test } from 'vitest'
import { formatBytes, formatSince, formatTemperature } from './format'
import { preferredLanguage, startI18n } from './index'

beforeAll(startI18n)

test.each([
  ['2026-03-01T23:00:00Z', 'Today'],
  ['2026-02-27T12:00:00Z', '3d'],
  ['2025-12-30T12:00:00Z', '2m'],
  ['2023-12-30T12:00:00Z', '2y'],
  ['2026-03-09T12:00:00Z', 'Today'],
])('the time since %s reads %s', (at, text) => {
  expect(formatSince(at, new Date('2026-03-02T13:00:00Z'))).toBe(text)
})

test('sizes are decimal, in KB, MB or GB', () => {
  expect([0, 20, 7_200, 20_971_520, 1_500_000_000].map(formatBytes)).toEqual([
    '0 KB',
    '0.1 KB',
    '7.2 KB',
    '21 MB',
    '1.5 GB',
  ])
})

test('a temperature has one decimal', () => {
  expect([0, 0.25, 1].map(formatTemperature)).toEqual(['0.0', '0.3', '1.0'])
})

test('a language that is not there gives way to English', () => {
  expect(preferredLanguage(null, ['xx-YY', 'en-GB'])).toBe('en')
  expect(preferredLanguage('xx', ['yy'])).toBe('en')
})
