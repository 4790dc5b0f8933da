import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import {
  addEvaluation,
  changeEvaluation,
  deleteEvaluation,
  type EvaluationBody,
  importEvaluations,
  listEvaluations,
  runEvaluations,
  setEvaluationRuns,
} from '../../server/contracts/evaluations'
import { callRoute } from './client'

const LOOK_EVERY = 800

/** A chatbot's evaluation questions and runs; polled during a run. */
export const evaluationsQuery = (pgid: string, cgid: string) =>
  queryOptions({
    queryKey: ['evaluations', pgid, cgid],
    queryFn: ({ signal }) => callRoute(listEvaluations, { params: { pgid, cgid }, signal }),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.runs.some(({ running }) => running) ? LOOK_EVERY : false),
  })

/** Mutations of evaluation questions and their run; they reload the list. */
export function useEvaluationChanges(pgid: string, cgid: string) {
  const queries = useQueryClient()
  const params = { pgid, cgid }
  // also after a failure: usually the list is outdated
  const onSettled = () => queries.invalidateQueries({ queryKey: evaluationsQuery(pgid, cgid).queryKey })
  const add = useMutation({
    mutationFn: (body: EvaluationBody) => callRoute(addEvaluation, { params, body }),
    onSettled,
  })
  const addMany = useMutation({
    mutationFn: (questions: EvaluationBody[]) => callRoute(importEvaluations, { params, body: { questions } }),
    onSettled,
  })
  const change = useMutation({
    mutationFn: ({ gid, ...body }: EvaluationBody & { gid: string }) =>
      callRoute(changeEvaluation, { params: { ...params, gid }, body }),
    onSettled,
  })
  const remove = useMutation({
    mutationFn: (gid: string) => callRoute(deleteEvaluation, { params: { ...params, gid } }),
    onSettled,
  })
  const run = useMutation({ mutationFn: () => callRoute(runEvaluations, { params }), onSettled })
  const setRuns = useMutation({
    mutationFn: (after_training: boolean) => callRoute(setEvaluationRuns, { params, body: { after_training } }),
    onSettled,
  })
  return { add, addMany, change, remove, run, setRuns }
}
