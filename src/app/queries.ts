import { onlineManager, QueryClient } from '@tanstack/react-query'
import { isNoAnswer, type ServerWatch } from '../api/serverWatch'

/** Retries of a call while the server responds to others. While the server is unavailable, queries wait. */
const RETRIES = 3

/**
 * The cache of queries. A query without a response is retried; while the server is unavailable it waits, so that
 * missing data is shown as loading, neither as empty nor as an error. Mutations are not queued: they fail at once with
 * a message.
 */
export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      retry: (failures, error) => failures < RETRIES && isNoAnswer(error),
      refetchOnReconnect: 'always',
    },
    mutations: { networkMode: 'always' },
  },
})

/** Pauses queries while the server is unavailable; visible data is reloaded when it is back. */
export function pauseQueriesWhileAway({ store }: ServerWatch) {
  onlineManager.setEventListener((setOnline) => store.subscribe(({ away }) => setOnline(!away)))
}
