import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import { createApiKey, deleteApiKey, listApiKeys, rotateApiKey } from '../../server/contracts/api-keys'
import { callRoute } from './client'

/** A project's API keys. */
export const apiKeysQuery = (pgid: string) =>
  queryOptions({
    queryKey: ['api-keys', pgid],
    queryFn: ({ signal }) => callRoute(listApiKeys, { params: { pgid }, signal }),
    staleTime: 0,
  })

export function useApiKeyChanges(pgid: string) {
  const queries = useQueryClient()
  // also after a failure: the list may be outdated
  const onSettled = () => queries.invalidateQueries({ queryKey: apiKeysQuery(pgid).queryKey })
  const create = useMutation({
    mutationFn: (body: z.infer<typeof createApiKey.body>) => callRoute(createApiKey, { params: { pgid }, body }),
    onSettled,
  })
  const remove = useMutation({
    mutationFn: (gid: string) => callRoute(deleteApiKey, { params: { pgid, gid } }),
    onSettled,
  })
  const rotate = useMutation({
    mutationFn: (gid: string) => callRoute(rotateApiKey, { params: { pgid, gid } }),
    onSettled,
  })
  return { create, remove, rotate }
}
