import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { checkSite, makeIdentitySecret, readIdentitySecret } from '../../server/contracts/embed'
import { readEmbed, saveEmbed } from '../../server/contracts/web'
import type { EmbedSettings } from '../../server/contracts/web/settings'
import { callRoute } from './client'

interface Place {
  pgid: string
  cgid: string
}

/** How a chatbot is embedded. */
export const embedQuery = (params: Place) =>
  queryOptions({
    queryKey: ['embed', params.cgid],
    queryFn: async ({ signal }) => (await callRoute(readEmbed, { params, signal })).settings,
    staleTime: 0,
  })

export const identityQuery = (params: Place) =>
  queryOptions({
    queryKey: ['identity-secret', params.cgid],
    queryFn: ({ signal }) => callRoute(readIdentitySecret, { params, signal }),
    staleTime: 0,
  })

export function useEmbedChanges(params: Place) {
  const queries = useQueryClient()
  return {
    save: useMutation({
      mutationFn: (settings: EmbedSettings) => callRoute(saveEmbed, { params, body: { settings } }),
      onSuccess: ({ settings }) => queries.setQueryData(embedQuery(params).queryKey, settings),
    }),
    makeSecret: useMutation({
      mutationFn: () => callRoute(makeIdentitySecret, { params, body: {} }),
      onSuccess: ({ made_at }) => queries.setQueryData(identityQuery(params).queryKey, { made_at }),
    }),
    check: useMutation({
      mutationFn: (url: string) => callRoute(checkSite, { params, body: { url } }),
    }),
  }
}
