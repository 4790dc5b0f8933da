import { expect, test } from 'vitest'
import { monthsIn } from './months'

test.each([
  ['2026-03-01', '2026-03-31', ['2026-03-01', '2026-04-01'], []],
  ['2026-03-01', '2026-03-30', null, [['2026-03-01', '2026-03-31']]],
  [
    '2026-01-15',
    '2026-03-02',
    ['2026-02-01', '2026-03-01'],
    [
      ['2026-01-15', '2026-02-01'],
      ['2026-03-01', '2026-03-03'],
    ],
  ],
  ['2025-12-02', '2026-01-31', ['2026-01-01', '2026-02-01'], [['2025-12-02', '2026-01-01']]],
  [undefined, '2026-03-02', [null, '2026-03-01'], [['2026-03-01', '2026-03-03']]],
  ['2026-03-02', undefined, ['2026-04-01', null], [['2026-03-02', '2026-04-01']]],
  [undefined, undefined, [null, null], []],
])('%s to %s', (from, to, months, days) => {
  const found = monthsIn({ from, to })
  expect(found.months && [found.months.from, found.months.until]).toEqual(months)
  expect(found.days.map((part) => [part.from, part.until])).toEqual(days)
})
