import { onlineManager, QueryClient } from '@tanstack/react-query'
import { isNoAnswer, type ServerWatch } from '../api/serverWatch'

/** A server that answers others but not this call: it is asked three times more. One that is away is waited for. */
const RETRIES = 3

/**
 * The cache of what was read over HTTP. What got no answer is read again by itself; while the server is away it waits, so that what
 * could not be loaded shows as loading, neither as empty nor as wrong. Changes are not kept for later: they fail at once, and say so.
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

/** Lets queries wait while the server is away; all that is on the screen is read anew when it is there again. */
export function pauseQueriesWhileAway({ store }: ServerWatch) {
  onlineManager.setEventListener((setOnline) => store.subscribe(({ away }) => setOnline(!away)))
}
