import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import {
  type AgentFigureName,
  type AnalyticsFilter,
  drillAnalytics,
  type FigureName,
  readAnalytics,
} from '../../server/contracts/analytics'
import { callRoute } from './client'

/** The figures of a project or one chatbot; read again each minute while visible. */
export const analyticsQuery = (pgid: string, filter: AnalyticsFilter) =>
  queryOptions({
    queryKey: ['analytics', pgid, filter.chatbot ?? '', filter],
    queryFn: ({ signal }) => callRoute(readAnalytics, { params: { pgid }, query: filter, signal }),
    // never shows another chatbot's figures meanwhile
    placeholderData: (last, before) =>
      before?.queryKey[1] === pgid && before.queryKey[2] === (filter.chatbot ?? '')
        ? keepPreviousData(last)
        : undefined,
    refetchInterval: 60_000,
    staleTime: 10_000,
  })

/** What the conversations behind a figure have in common. */
export interface Drilled {
  figure: FigureName | AgentFigureName
  /** whose, for a figure of a member */
  agent?: { gid: string; name: string }
  language?: string
  page?: string
  wording?: string
}

export const drilledQuery = (pgid: string, filter: AnalyticsFilter, { agent, ...drilled }: Drilled) =>
  infiniteQueryOptions({
    queryKey: ['analytics-conversations', pgid, filter, drilled, agent?.gid],
    queryFn: ({ pageParam, signal }) =>
      callRoute(drillAnalytics, {
        params: { pgid },
        query: { ...filter, ...drilled, ...(agent && { agent: agent.gid }), ...(pageParam && { before: pageParam }) },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: ({ conversations, more }) => (more ? conversations.at(-1)?.gid : undefined),
    staleTime: 0,
  })
