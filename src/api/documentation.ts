import { queryOptions } from '@tanstack/react-query'
import { askDocs } from '../../server/contracts/documentation'
import { callRoute } from './client'

/** What the documentation says to a question; kept as long as the app is open. */
export const docsAnswerQuery = (question: string) =>
  queryOptions({
    queryKey: ['documentation', question],
    queryFn: ({ signal }) => callRoute(askDocs, { query: { question }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })
