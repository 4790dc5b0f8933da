import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import { createSecret, deleteSecret, listSecrets, listSecretUses, replaceSecret } from '../../server/contracts/secrets'
import type { CreateSecret } from '../text/flowScope'
import { callRoute } from './client'
import { ApiFailure, fieldOr } from './failure'

/** The project's secrets: names and who changed them, never values. */
export const secretsQuery = (pgid: string) =>
  queryOptions({
    queryKey: ['secrets', pgid],
    queryFn: async ({ signal }) => (await callRoute(listSecrets, { params: { pgid }, signal })).secrets,
    // others add and delete them too
    staleTime: 0,
  })

export const secretUsesQuery = (pgid: string) =>
  queryOptions({
    queryKey: ['secrets', pgid, 'uses'],
    queryFn: async ({ signal }) => (await callRoute(listSecretUses, { params: { pgid }, signal })).uses,
    staleTime: 0,
  })

export function useSecretChanges(pgid: string) {
  const queries = useQueryClient()
  // also after a failure: the list may be outdated
  const onSettled = () => queries.invalidateQueries({ queryKey: secretsQuery(pgid).queryKey })
  const replace = useMutation({
    mutationFn: ({ gid, value }: { gid: string; value: string }) =>
      callRoute(replaceSecret, { params: { pgid, gid }, body: { value } }),
    onSettled,
  })
  const remove = useMutation({
    mutationFn: (gid: string) => callRoute(deleteSecret, { params: { pgid, gid }, body: { confirmed: true } }),
    onSettled,
  })
  return { replace, remove }
}

/** Saves a value; an Error's message is a sentence to show. */
export function useSecretCreation(pgid: string): CreateSecret {
  const queries = useQueryClient()
  return useCallback(
    async (body) => {
      try {
        const { secret } = await callRoute(createSecret, { params: { pgid }, body })
        // the checker must know it as soon as its chip is inserted
        queries.setQueryData(secretsQuery(pgid).queryKey, (before) => before && [...before, secret])
        return secret.name
      } catch (error) {
        throw error instanceof ApiFailure
          ? new Error(error.fields.name ?? fieldOr(error, 'value', error.message))
          : error
      } finally {
        void queries.invalidateQueries({ queryKey: secretsQuery(pgid).queryKey })
      }
    },
    [pgid, queries],
  )
}

/** The names of the project's secrets; null until loaded. */
export function useSecretNames(pgid: string): ReadonlySet<string> | null {
  const { data } = useQuery(secretsQuery(pgid))
  return useMemo(() => (data ? new Set(data.map(({ name }) => name)) : null), [data])
}
