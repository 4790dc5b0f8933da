import { QueryClient } from '@tanstack/react-query'
import { ApiFailure } from '../api/failure'

/** The cache of what was read over HTTP. Only a call that got no response is tried again, once. */
export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      retry: (failures, error) => failures < 1 && error instanceof ApiFailure && error.status === undefined,
    },
  },
})
