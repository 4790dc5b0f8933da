import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import { addFeed, deleteFeed, listFeeds, readFeedNow, updateFeed } from '../../server/contracts/feeds'
import type { Resync } from '../../server/contracts/sources'
import { refreshAccount } from './account'
import { callRoute } from './client'
import { type ChatbotPlace, FOLLOW_MS } from './sources'

const everythingOf = ({ pgid, cgid }: ChatbotPlace) => ['feeds', pgid, cgid]

/** The lists of pages that a chatbot follows; polls only while one is read. */
export const feedsQuery = (place: ChatbotPlace) =>
  queryOptions({
    queryKey: everythingOf(place),
    queryFn: ({ signal }) => callRoute(listFeeds, { params: place, signal }),
    staleTime: 0,
    refetchInterval: ({ state }) => !!state.data?.feeds.some((feed) => feed.state === 'reading') && FOLLOW_MS,
  })

type Body = z.infer<typeof addFeed.body>
/** Without what all kinds share. */
type OrderOf<One> = One extends unknown ? Omit<One, 'most' | 'resync'> : never

export interface NewFeed {
  order: OrderOf<Body>
  most: number
  resync: Resync
}

/** Mutations of the lists; the sources that they bring and take are read anew as well. */
export function useFeedChanges(place: ChatbotPlace) {
  const queries = useQueryClient()
  const onSettled = async () => {
    await Promise.all([
      queries.invalidateQueries({ queryKey: everythingOf(place) }),
      queries.invalidateQueries({ queryKey: ['sources', place.pgid, place.cgid] }),
      refreshAccount(),
    ])
  }
  const add = useMutation({
    mutationFn: ({ order, ...shared }: NewFeed) => callRoute(addFeed, { params: place, body: { ...order, ...shared } }),
    onSettled,
  })
  const update = useMutation({
    mutationFn: ({ gid, ...body }: { gid: string; resync?: Resync; left_out?: 0 }) =>
      callRoute(updateFeed, { params: { ...place, gid }, body }),
    onSettled,
  })
  const read = useMutation({
    mutationFn: (gid: string) => callRoute(readFeedNow, { params: { ...place, gid } }),
    onSettled,
  })
  const remove = useMutation({
    mutationFn: ({ gid, sources }: { gid: string; sources: 'keep' | 'delete' }) =>
      callRoute(deleteFeed, { params: { ...place, gid }, query: { sources } }),
    onSettled,
  })
  return { add, update, read, remove }
}
