import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { dismissJob, listFailedJobs, retryJob } from '../../server/contracts/jobs'
import { callRoute } from './client'

/** A project's given-up jobs. */
export const failedJobsQuery = (pgid: string) =>
  queryOptions({
    queryKey: ['failed-jobs', pgid],
    queryFn: ({ signal }) => callRoute(listFailedJobs, { params: { pgid }, signal }).then(({ jobs }) => jobs),
  })

/** Mutations of given-up jobs: retry, or dismiss. */
export function useFailedJobChanges(pgid: string) {
  const queries = useQueryClient()
  // also after a refusal: somebody else may have done it
  const onSettled = () => queries.invalidateQueries({ queryKey: failedJobsQuery(pgid).queryKey })
  const retry = useMutation({
    mutationFn: (job: string) => callRoute(retryJob, { params: { pgid, job } }),
    onSettled,
  })
  const dismiss = useMutation({
    mutationFn: (job: string) => callRoute(dismissJob, { params: { pgid, job } }),
    onSettled,
  })
  return { retry, dismiss }
}
