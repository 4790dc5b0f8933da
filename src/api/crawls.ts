import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import {
  type CrawlMode,
  deleteCrawl,
  listCrawls,
  type PageState,
  readCrawl,
  startCrawl,
  stopCrawl,
  trainCrawl,
} from '../../server/contracts/crawls'
import type { Resync } from '../../server/contracts/sources'
import { refreshAccount } from './account'
import { callRoute } from './client'
import { type ChatbotPlace, FOLLOW_MS } from './sources'

const PAGE = 200

const everythingOf = ({ pgid, cgid }: ChatbotPlace) => ['crawls', pgid, cgid]

/** A chatbot's recent crawls. */
export const crawlsQuery = (place: ChatbotPlace) =>
  queryOptions({
    queryKey: [...everythingOf(place), 'list'],
    queryFn: ({ signal }) => callRoute(listCrawls, { params: place, signal }),
    staleTime: 0,
  })

/** A crawl's progress and its pages of one state, paginated; polls only while it is running. */
export const crawlQuery = (place: ChatbotPlace, gid: string, { state, search }: { state: PageState; search: string }) =>
  infiniteQueryOptions({
    queryKey: [...everythingOf(place), 'one', gid, { state, search }],
    queryFn: ({ pageParam, signal }) =>
      callRoute(readCrawl, {
        params: { ...place, gid },
        query: { state, search: search || undefined, offset: pageParam, limit: PAGE },
        signal,
      }),
    initialPageParam: 0,
    getNextPageParam: ({ total }, pages) => {
      const there = pages.reduce((sum, { pages: some }) => sum + some.length, 0)
      return there < total ? there : undefined
    },
    staleTime: 0,
    refetchInterval: (query) => query.state.data?.pages[0]?.crawl.state === 'finding' && FOLLOW_MS,
  })

export interface CrawlOrder {
  mode: CrawlMode
  url: string
  depth: number
  max_pages: number
  include: string[]
  exclude: string[]
}

/** Mutations of a chatbot's crawls. */
export function useCrawlChanges(place: ChatbotPlace) {
  const queries = useQueryClient()
  const onSettled = () => queries.invalidateQueries({ queryKey: everythingOf(place) })
  const start = useMutation({
    mutationFn: (body: CrawlOrder) => callRoute(startCrawl, { params: place, body }),
    onSettled,
  })
  const stop = useMutation({
    mutationFn: (gid: string) => callRoute(stopCrawl, { params: { ...place, gid } }),
    onSettled,
  })
  const train = useMutation({
    mutationFn: ({ gid, ...body }: { gid: string; only?: string[]; except?: string[]; resync: Resync }) =>
      callRoute(trainCrawl, { params: { ...place, gid }, body }),
    onSettled: async () => {
      await Promise.all([
        onSettled(),
        queries.invalidateQueries({ queryKey: ['sources', place.pgid, place.cgid] }),
        refreshAccount(),
      ])
    },
  })
  const remove = useMutation({
    mutationFn: (gid: string) => callRoute(deleteCrawl, { params: { ...place, gid } }),
    onSettled,
  })
  return { start, stop, train, remove }
}
