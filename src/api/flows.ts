import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { createFlow, deleteFlow, duplicateFlow, listFlows, renameFlow } from '../../server/contracts/flows'
import { callRoute } from './client'

/** A chatbot's flows, the main one first. */
export const flowsQuery = (pgid: string, cgid: string) =>
  queryOptions({
    queryKey: ['flows', pgid, cgid],
    queryFn: ({ signal }) => callRoute(listFlows, { params: { pgid, cgid }, signal }).then(({ flows }) => flows),
  })

/** Mutations of a chatbot's flows; they reload the list. */
export function useFlowChanges(pgid: string, cgid: string) {
  const queries = useQueryClient()
  const reread = () => queries.invalidateQueries({ queryKey: flowsQuery(pgid, cgid).queryKey })
  const params = { pgid, cgid }
  const create = useMutation({
    mutationFn: async (title: string) => (await callRoute(createFlow, { params, body: { title } })).flow,
    onSuccess: reread,
  })
  const rename = useMutation({
    mutationFn: async ({ fid, title }: { fid: string; title: string }) =>
      (await callRoute(renameFlow, { params: { ...params, fid }, body: { title } })).flow,
    onSuccess: reread,
  })
  const duplicate = useMutation({
    mutationFn: async (fid: string) => (await callRoute(duplicateFlow, { params: { ...params, fid } })).flow,
    onSuccess: reread,
  })
  const remove = useMutation({
    mutationFn: ({ fid, confirmed }: { fid: string; confirmed: boolean }) =>
      callRoute(deleteFlow, { params: { ...params, fid }, body: { confirmed } }),
    // also after a refusal: which flows enter it has changed
    onSettled: reread,
  })
  return { create, rename, duplicate, remove, reread }
}
