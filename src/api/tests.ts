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

/** A chatbot's tests in order of creation. */
export const testsQuery = (pgid: string, cgid: string) =>
  queryOptions({
    queryKey: ['tests', pgid, cgid],
    queryFn: ({ signal }) => callRoute(listTests, { params: { pgid, cgid }, signal }).then(({ tests }) => tests),
  })

/** Runs all tests on the stored drafts. */
export const runAllTests = (pgid: string, cgid: string, signal?: AbortSignal) =>
  callRoute(runTests, { params: { pgid, cgid }, ...(signal && { signal }) })

/** Mutations of a chatbot's tests; they reload the list. */
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
