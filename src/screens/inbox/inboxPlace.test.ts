import { expect, it } from 'vitest'
import { addressOf, keptOf } from './inboxPlace'

const NOW = Date.parse('2026-11-30T12:00:00Z')
const DAY = 86_400_000

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
