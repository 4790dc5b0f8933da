import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { type NotificationsChange, readNotifications, updateNotifications } from '../../server/contracts/notifications'
import { callRoute } from './client'

/** Which mails a project sends to its members. */
export const notificationsQuery = (pgid: string) =>
  queryOptions({
    queryKey: ['notifications', pgid],
    queryFn: ({ signal }) => callRoute(readNotifications, { params: { pgid }, signal }),
    staleTime: 0,
  })

export function useNotificationsChange(pgid: string) {
  const queries = useQueryClient()
  const { queryKey } = notificationsQuery(pgid)
  return useMutation({
    mutationFn: (change: NotificationsChange) => callRoute(updateNotifications, { params: { pgid }, body: change }),
    onSuccess: (settings) => queries.setQueryData(queryKey, settings),
    // what is shown may be outdated
    onError: () => queries.invalidateQueries({ queryKey }),
  })
}
