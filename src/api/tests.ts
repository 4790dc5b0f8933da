import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import {
  acceptTest,
  deleteTest,
  importTests,
  keepTest,
  listTests,
  renameTest,
  runTests,
} from '../../server/contracts/recordings'
import { callRoute } from './client'

/** The tests of a chatbot, in the order in which they were kept. */
export const testsQuery = (pgid: string, cgid: string) =>
  queryOptions({
    queryKey: ['tests', pgid, cgid],
    queryFn: ({ signal }) => callRoute(listTests, { params: { pgid, cgid }, signal }).then(({ tests }) => tests),
  })

/** Runs all tests on the drafts as the server has them. */
export const runAllTests = (pgid: string, cgid: string, signal?: AbortSignal) =>
  callRoute(runTests, { params: { pgid, cgid }, ...(signal && { signal }) })

/** The changes of a chatbot's tests; each reads the list anew. */
export function useTestChanges(pgid: string, cgid: string) {
  const queries = useQueryClient()
  const onSuccess = () => queries.invalidateQueries({ queryKey: testsQuery(pgid, cgid).queryKey })
  const params = { pgid, cgid }
  const keep = useMutation({
    mutationFn: (body: { conversation: string; name: string; turn?: number }) => callRoute(keepTest, { params, body }),
    onSuccess,
  })
  const rename = useMutation({
    mutationFn: ({ gid, name }: { gid: string; name: string }) =>
      callRoute(renameTest, { params: { ...params, gid }, body: { name } }),
    onSuccess,
  })
  const accept = useMutation({
    mutationFn: (gid: string) => callRoute(acceptTest, { params: { ...params, gid } }),
    onSuccess,
  })
  const remove = useMutation({
    mutationFn: (gid: string) => callRoute(deleteTest, { params: { ...params, gid } }),
    onSuccess,
  })
  const bringIn = useMutation({
    mutationFn: async (file: File) => callRoute(importTests, { params, body: { source: await file.text() } }),
    onSuccess,
  })
  return { keep, rename, accept, remove, bringIn }
}
