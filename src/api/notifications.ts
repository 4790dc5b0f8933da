import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { type CreditNoticeChange, readNotifications, updateNotifications } from '../../server/contracts/notifications'
import { callRoute } from './client'

/** Which mails a project sends to its members. */
export const notificationsQuery = (pgid: string) =>
  queryOptions({
    queryKey: ['notifications', pgid],
    queryFn: ({ signal }) => callRoute(readNotifications, { params: { pgid }, signal }),
    staleTime: 0,
  })

export function useCreditNoticeChange(pgid: string) {
  const queries = useQueryClient()
  const { queryKey } = notificationsQuery(pgid)
  return useMutation({
    mutationFn: (change: CreditNoticeChange) =>
      callRoute(updateNotifications, { params: { pgid }, body: { ai_credits_usage: change } }),
    onSuccess: (settings) => queries.setQueryData(queryKey, settings),
    // what is shown may be outdated
    onError: () => queries.invalidateQueries({ queryKey }),
  })
}
