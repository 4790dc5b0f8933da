import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { listMails, readMail } from '../../server/contracts/mails'
import { callRoute } from './client'

/** A project's mails, newest first, paginated. */
export const mailsQuery = (pgid: string) =>
  infiniteQueryOptions({
    queryKey: ['mails', pgid],
    queryFn: ({ pageParam, signal }) =>
      callRoute(listMails, { params: { pgid }, query: pageParam ? { before: pageParam } : {}, signal }),
    initialPageParam: '',
    getNextPageParam: ({ mails, more }) => (more ? mails.at(-1)?.gid : undefined),
    staleTime: 0,
  })

export const mailQuery = (pgid: string, mgid: string) =>
  queryOptions({
    queryKey: ['mails', pgid, mgid],
    queryFn: ({ signal }) => callRoute(readMail, { params: { pgid, mgid }, signal }).then(({ mail }) => mail),
    staleTime: 0,
  })
