import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { listKeptViews } from '../../server/contracts/inboxViews'
import { callRoute } from './client'

const keyOf = (pgid: string) => ['inbox-views', pgid] as const

/** The views of the inbox by a name: one's own, and those that are shared with one. */
export const keptViewsQuery = (pgid: string) =>
  queryOptions({
    queryKey: keyOf(pgid),
    queryFn: ({ signal }) => callRoute(listKeptViews, { params: { pgid }, signal }).then(({ views }) => views),
    staleTime: 60_000,
  })

export const refreshKeptViews = (client: QueryClient, pgid: string) =>
  client.invalidateQueries({ queryKey: keyOf(pgid) })
