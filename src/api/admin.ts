import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import {
  announce,
  changeAllowance,
  type changeAllowanceBody,
  dismissDeadJob,
  listAllProjects,
  listDeadJobs,
  listOperatorActions,
  listPeople,
  readOperatorNotice,
  readOverview,
  resumePerson,
  resumeProject,
  retryAll,
  retryDeadJob,
  stopViewing,
  suspendPerson,
  suspendProject,
  turnOffTwoFactorOf,
  viewAs,
} from '../../server/contracts/admin'
import { clearCspReports, listCspReports } from '../../server/contracts/cspReports'
import { callRoute } from './client'

const KEY = 'admin'
/** How often open pages ask for an announcement. */
const NOTICE_EVERY = 5 * 60_000

/** What is announced, whether the session sees as somebody else, and whether its account runs the installation. */
const noticeQuery = queryOptions({
  queryKey: ['operator-notice'],
  queryFn: ({ signal }) => callRoute(readOperatorNotice, { signal }),
  staleTime: NOTICE_EVERY,
  refetchInterval: NOTICE_EVERY,
})
export const useOperatorNotice = () => useQuery(noticeQuery).data

export const overviewQuery = queryOptions({
  queryKey: [KEY, 'overview'],
  queryFn: ({ signal }) => callRoute(readOverview, { signal }),
  refetchInterval: 15_000,
})
export const deadJobsQuery = queryOptions({
  queryKey: [KEY, 'jobs'],
  queryFn: ({ signal }) => callRoute(listDeadJobs, { signal }),
})
export const allProjectsQuery = (search: string) =>
  queryOptions({
    queryKey: [KEY, 'projects', search],
    queryFn: ({ signal }) => callRoute(listAllProjects, { query: search ? { search } : {}, signal }),
  })
export const peopleQuery = (search: string) =>
  queryOptions({
    queryKey: [KEY, 'people', search],
    queryFn: ({ signal }) => callRoute(listPeople, { query: search ? { search } : {}, signal }),
  })
export const actionsQuery = queryOptions({
  queryKey: [KEY, 'actions'],
  queryFn: ({ signal }) => callRoute(listOperatorActions, { signal }).then(({ actions }) => actions),
})

export const cspReportsQuery = queryOptions({
  queryKey: [KEY, 'csp-reports'],
  queryFn: ({ signal }) => callRoute(listCspReports, { signal }).then(({ reports }) => reports),
})

interface Because {
  gid: string
  why: string
}

/** What operators change. Each reads all of their screen anew: every action is a line in its list of actions. */
export function useAdminChanges() {
  const queries = useQueryClient()
  const onSettled = () => queries.invalidateQueries({ queryKey: [KEY] })
  return {
    retry: useMutation({ mutationFn: (job: string) => callRoute(retryDeadJob, { params: { job } }), onSettled }),
    dismiss: useMutation({ mutationFn: (job: string) => callRoute(dismissDeadJob, { params: { job } }), onSettled }),
    retryAll: useMutation({ mutationFn: () => callRoute(retryAll), onSettled }),
    clearCspReports: useMutation({ mutationFn: () => callRoute(clearCspReports), onSettled }),
    allow: useMutation({
      mutationFn: ({ gid, ...body }: { gid: string } & z.infer<typeof changeAllowanceBody>) =>
        callRoute(changeAllowance, { params: { gid }, body }),
      onSettled,
    }),
    suspendProject: useMutation({
      mutationFn: ({ gid, why }: Because) => callRoute(suspendProject, { params: { gid }, body: { why } }),
      onSettled,
    }),
    resumeProject: useMutation({
      mutationFn: (gid: string) => callRoute(resumeProject, { params: { gid } }),
      onSettled,
    }),
    suspendPerson: useMutation({
      mutationFn: ({ gid, why }: Because) => callRoute(suspendPerson, { params: { gid }, body: { why } }),
      onSettled,
    }),
    resumePerson: useMutation({ mutationFn: (gid: string) => callRoute(resumePerson, { params: { gid } }), onSettled }),
    turnOffTwoFactor: useMutation({
      mutationFn: ({ gid, why }: Because) => callRoute(turnOffTwoFactorOf, { params: { gid }, body: { why } }),
      onSettled,
    }),
    /** the whole interface is another person's then: it is loaded anew */
    view: useMutation({
      mutationFn: ({ gid, why }: Because) => callRoute(viewAs, { params: { gid }, body: { why } }),
      onSuccess: () => location.assign('/'),
    }),
    announce: useMutation({
      mutationFn: (body: { text: string; warns: boolean }) => callRoute(announce, { body }),
      onSettled: () => Promise.all([onSettled(), queries.invalidateQueries({ queryKey: noticeQuery.queryKey })]),
    }),
  }
}
export type AdminChanges = ReturnType<typeof useAdminChanges>

/** Ends seeing as somebody else. */
export const useStopViewing = () =>
  useMutation({ mutationFn: () => callRoute(stopViewing), onSuccess: () => location.assign('/admin') })
