import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import {
  addGolden,
  changeGolden,
  deleteGolden,
  type GoldenBody,
  importGolden,
  listGolden,
  runGolden,
} from '../../server/contracts/golden'
import { callRoute } from './client'

const LOOK_EVERY = 800

/** A chatbot's evaluation questions and runs; polled during a run. */
export const goldenQuery = (pgid: string, cgid: string) =>
  queryOptions({
    queryKey: ['golden', pgid, cgid],
    queryFn: ({ signal }) => callRoute(listGolden, { params: { pgid, cgid }, signal }),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.runs.some(({ running }) => running) ? LOOK_EVERY : false),
  })

/** Mutations of evaluation questions and their run; they reload the list. */
export function useGoldenChanges(pgid: string, cgid: string) {
  const queries = useQueryClient()
  const params = { pgid, cgid }
  // also after a failure: usually the list is outdated
  const onSettled = () => queries.invalidateQueries({ queryKey: goldenQuery(pgid, cgid).queryKey })
  const add = useMutation({ mutationFn: (body: GoldenBody) => callRoute(addGolden, { params, body }), onSettled })
  const addMany = useMutation({
    mutationFn: (questions: GoldenBody[]) => callRoute(importGolden, { params, body: { questions } }),
    onSettled,
  })
  const change = useMutation({
    mutationFn: ({ gid, ...body }: GoldenBody & { gid: string }) =>
      callRoute(changeGolden, { params: { ...params, gid }, body }),
    onSettled,
  })
  const remove = useMutation({
    mutationFn: (gid: string) => callRoute(deleteGolden, { params: { ...params, gid } }),
    onSettled,
  })
  const run = useMutation({ mutationFn: () => callRoute(runGolden, { params }), onSettled })
  return { add, addMany, change, remove, run }
}
