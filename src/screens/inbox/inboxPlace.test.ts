import { expect, it } from 'vitest'
import { addressOf, keptOf } from './inboxPlace'
import { dayOf, startOf } from './period'

const NOW = Date.parse('2026-11-30T12:00:00Z')
const DAY = 86_400_000

it('a period with an end is kept as it is', () => {
  const filters = { since: new Date(NOW - 9 * DAY).toISOString(), until: new Date(NOW - 2 * DAY).toISOString() }
  const kept = keptOf({ view: 'closed', filters }, NOW)
  expect(kept).toEqual({ view: 'closed', filters })
  expect(Object.fromEntries(new URLSearchParams(addressOf(kept, NOW + DAY)))).toEqual({ view: 'closed', ...filters })
})

it('days are those of the local clock, the last one to its end', () => {
  expect(dayOf(new Date(2026, 2, 9, 23, 59))).toBe('2026-03-09')
  expect(startOf('2026-03-09', 0)).toBe(new Date(2026, 2, 9).toISOString())
  expect(startOf('2026-12-31', 1)).toBe(new Date(2027, 0, 1).toISOString())
})

it('a view is kept with its filters, its period as days before whenever it is opened', () => {
  const since = new Date(NOW - 7 * DAY).toISOString()
  const kept = keptOf({ view: 'waiting', filters: { language: 'pt', rating: 2, since } }, NOW + 60_000)
  expect(kept).toEqual({ view: 'waiting', filters: { language: 'pt', rating: 2, days: 7 } })
  const later = new URLSearchParams(addressOf(kept, NOW + 30 * DAY))
  expect(Object.fromEntries(later)).toEqual({
    ...{ view: 'waiting', language: 'pt', rating: '2' },
    since: new Date(NOW + 23 * DAY).toISOString(),
  })
})
