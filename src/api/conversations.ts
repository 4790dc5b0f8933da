import { queryOptions } from '@tanstack/react-query'
import { readTranscript } from '../../server/contracts/conversations'
import { callRoute } from './client'

/** A visitor's conversation in its present state. */
export const transcriptQuery = (params: { pgid: string; cgid: string; conversation: string }) =>
  queryOptions({
    queryKey: ['transcript', params.pgid, params.cgid, params.conversation],
    queryFn: ({ signal }) => callRoute(readTranscript, { params, signal }).then(({ transcript }) => transcript),
    staleTime: 0,
  })
