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
  source?: string
  block?: string
  group?: string
  /** 1 is Monday */
  weekday?: number
  hour?: number
  /** in place of what the filter says */
  within?: Partial<Pick<AnalyticsFilter, 'chatbot' | 'environment' | 'channel' | 'from' | 'to'>>
  /** what they have in common, in words */
  about?: string
}

export const drilledQuery = (pgid: string, filter: AnalyticsFilter, { agent, within, about: _, ...drilled }: Drilled) =>
  infiniteQueryOptions({
    queryKey: ['analytics-conversations', pgid, filter, within, drilled, agent?.gid],
    queryFn: ({ pageParam, signal }) =>
      callRoute(drillAnalytics, {
        params: { pgid },
        query: {
          ...{ ...filter, ...within, ...drilled },
          ...(agent && { agent: agent.gid }),
          ...(pageParam && { before: pageParam }),
        },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: ({ conversations, more }) => (more ? conversations.at(-1)?.gid : undefined),
    staleTime: 0,
  })
