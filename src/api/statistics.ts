import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { readFlowStatistics, type StatisticsFilter } from '../../server/contracts/statistics'
import { callRoute } from './client'

/** How far visitors come in a flow; asked again each minute while somebody looks. */
export const statisticsQuery = (params: { pgid: string; cgid: string; fid: string }, query: StatisticsFilter) =>
  queryOptions({
    queryKey: ['statistics', params.pgid, params.cgid, params.fid, query],
    queryFn: ({ signal }) => callRoute(readFlowStatistics, { params, query, signal }),
    // another flow's or chatbot's numbers are never those of this one
    placeholderData: (last, before) => (before?.queryKey[3] === params.fid ? keepPreviousData(last) : undefined),
    refetchInterval: 60_000,
    staleTime: 10_000,
  })
