import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import {
  checkDraft,
  listVersions,
  publishVersion,
  readVersion,
  renameVersion,
  restoreVersion,
} from '../../server/contracts/versions'
import { chatbotsQuery } from './chatbots'
import { callRoute } from './client'
import { flowsQuery } from './flows'

/** A version by its number, or the present stored draft. */
export type Which = number | 'draft'

/** A chatbot's versions, newest first, paginated. */
export const versionsQuery = (pgid: string, cgid: string) =>
  infiniteQueryOptions({
    queryKey: ['versions', pgid, cgid],
    initialPageParam: undefined as number | undefined,
    queryFn: ({ signal, pageParam }) =>
      callRoute(listVersions, { params: { pgid, cgid }, query: { before: pageParam }, signal }),
    getNextPageParam: ({ versions, more }) => (more ? versions.at(-1)?.number : undefined),
  })

/** All flows of a version, which never change, or of the draft, which is always fetched. */
export const versionQuery = (pgid: string, cgid: string, version: Which, whenSaved: () => Promise<void>) =>
  queryOptions({
    queryKey: ['version', pgid, cgid, version],
    queryFn: async ({ signal }) => {
      if (version === 'draft') await whenSaved()
      return (await callRoute(readVersion, { params: { pgid, cgid, version }, signal })).flows
    },
    staleTime: version === 'draft' ? 0 : Number.POSITIVE_INFINITY,
    gcTime: version === 'draft' ? 0 : 60_000,
  })

/** The problems that prevent publishing. */
export const publishCheckQuery = (pgid: string, cgid: string) =>
  queryOptions({
    queryKey: ['publishCheck', pgid, cgid],
    queryFn: ({ signal }) => callRoute(checkDraft, { params: { pgid, cgid }, signal }),
    gcTime: 0,
    staleTime: 0,
  })

/** Mutations of versions; they reload the list. */
export function useVersionChanges(pgid: string, cgid: string) {
  const cache = useQueryClient()
  const reread = async () => {
    await Promise.all(
      [versionsQuery(pgid, cgid).queryKey, chatbotsQuery(pgid).queryKey, flowsQuery(pgid, cgid).queryKey].map(
        (queryKey) => cache.invalidateQueries({ queryKey }),
      ),
    )
  }
  const params = (version: number) => ({ pgid, cgid, version })
  const rename = useMutation({
    mutationFn: ({ version, ...body }: { version: number; name: string }) =>
      callRoute(renameVersion, { params: params(version), body }),
    onSuccess: reread,
  })
  const restore = useMutation({
    mutationFn: ({ version, open }: { version: number; open: string }) =>
      callRoute(restoreVersion, { params: params(version), body: { open } }),
    onSuccess: reread,
  })
  const publish = useMutation({
    mutationFn: (version: number) => callRoute(publishVersion, { params: params(version) }),
    onSuccess: reread,
  })
  return { rename, restore, publish, reread }
}
