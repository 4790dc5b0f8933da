import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, it } from 'vitest'
import { sourcesQuery } from './sources'

const place = { pgid: 'a'.repeat(16), cgid: 'b'.repeat(16) }
const query = sourcesQuery(place, {}, { offset: 0, limit: 50 })

/** Whether a list with such a state and row is asked for again by itself. */
function isFollowed(training: 'ready' | 'training', status: 'ready' | 'reading'): boolean {
  const client = new QueryClient()
  client.setQueryData(query.queryKey, { training: { status: training }, sources: [{ status }] } as never)
  const observer = new QueryObserver(client, { ...query, enabled: false })
  const { refetchInterval } = query
  return typeof refetchInterval === 'function' && refetchInterval(observer.getCurrentQuery() as never) !== false
}

it('follows the sources while one is in training, or is shown so, and no longer', () => {
  expect(isFollowed('training', 'ready')).toBe(true)
  // it was trained between the reading of the list and that of the progress
  expect(isFollowed('ready', 'reading')).toBe(true)
  expect(isFollowed('ready', 'ready')).toBe(false)
})
