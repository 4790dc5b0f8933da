import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { readFlowStatistics, type StatisticsFilter } from '../../server/contracts/statistics'
import { callRoute } from './client'

/** A flow's statistics; reloaded each minute while visible. */
export const statisticsQuery = (params: { pgid: string; cgid: string; fid: string }, query: StatisticsFilter) =>
  queryOptions({
    queryKey: ['statistics', params.pgid, params.cgid, params.fid, query],
    queryFn: ({ signal }) => callRoute(readFlowStatistics, { params, query, signal }),
    // never shows numbers of another flow or chatbot meanwhile
    placeholderData: (last, before) => (before?.queryKey[3] === params.fid ? keepPreviousData(last) : undefined),
    refetchInterval: 60_000,
    staleTime: 10_000,
  })
