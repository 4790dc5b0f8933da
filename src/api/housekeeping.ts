import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import {
  deleteConversation,
  type Housekeeping,
  readStorage,
  saveHousekeeping,
} from '../../server/contracts/housekeeping'
import { callRoute } from './client'
import { refreshInbox } from './inbox'

/** What a project keeps, how large it is, and after how long it is deleted. */
export const storageQuery = (pgid: string) =>
  queryOptions({
    queryKey: ['storage', pgid],
    queryFn: ({ signal }) => callRoute(readStorage, { params: { pgid }, signal }),
    // counting takes the database some time
    staleTime: 60_000,
  })

export function useSaveHousekeeping(pgid: string) {
  const queries = useQueryClient()
  const { queryKey } = storageQuery(pgid)
  return useMutation({
    mutationFn: (body: Housekeeping) => callRoute(saveHousekeeping, { params: { pgid }, body }),
    onSuccess: ({ rules }) => queries.setQueryData(queryKey, (stored) => stored && { ...stored, rules }),
  })
}

/** Deletes a conversation for good, and takes it off the lists. */
export function useDeleteConversation(pgid: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (conversation: string) => callRoute(deleteConversation, { params: { pgid, conversation } }),
    onSuccess: () => refreshInbox(queries, pgid),
  })
}
