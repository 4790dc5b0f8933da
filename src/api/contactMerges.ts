import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { listDoubles, listMerges, mergeContacts, previewMerge, undoMerge } from '../../server/contracts/contactMerges'
import { callRoute } from './client'
import { contactsKey } from './contacts'

/** Contacts that may be the same person. */
export const doublesQuery = (pgid: string) =>
  queryOptions({
    queryKey: [...contactsKey(pgid), 'doubles'],
    queryFn: ({ signal }) => callRoute(listDoubles, { params: { pgid }, signal }).then(({ doubles }) => doubles),
    staleTime: 0,
  })

/** Merges that can be undone. */
export const mergesQuery = (pgid: string) =>
  queryOptions({
    queryKey: [...contactsKey(pgid), 'merges'],
    queryFn: ({ signal }) => callRoute(listMerges, { params: { pgid }, signal }).then(({ merges }) => merges),
    staleTime: 0,
  })

export const mergePreviewQuery = (pgid: string, query: { into: string; from: string }) =>
  queryOptions({
    queryKey: [...contactsKey(pgid), 'merge', query],
    queryFn: ({ signal }) => callRoute(previewMerge, { params: { pgid }, query, signal }),
    staleTime: 0,
  })

export function useMerges(pgid: string) {
  const queries = useQueryClient()
  // not waited for: what shows a contact goes with it
  const onSuccess = () => void queries.invalidateQueries({ queryKey: contactsKey(pgid) })
  const merge = useMutation({
    mutationFn: (body: { into: string; from: string; take: string[] }) =>
      callRoute(mergeContacts, { params: { pgid }, body }),
    onSuccess,
  })
  const undo = useMutation({
    mutationFn: (gid: string) => callRoute(undoMerge, { params: { pgid, gid } }),
    onSuccess,
  })
  return { merge, undo }
}
