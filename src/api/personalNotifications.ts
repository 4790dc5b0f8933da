import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import {
  listMyNotifications,
  type PersonalSettings,
  readMySettings,
  saveMySettings,
  seeMyNotifications,
} from '../../server/contracts/personalNotifications'
import { callRoute } from './client'

/** The account's own notifications in a project, the newest first. */
export const myNotificationsQuery = (pgid: string) =>
  infiniteQueryOptions({
    queryKey: ['my-notifications', pgid],
    queryFn: ({ pageParam: before, signal }) =>
      callRoute(listMyNotifications, { params: { pgid }, query: before === null ? {} : { before }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ more, notifications }) => (more ? (notifications.at(-1)?.id ?? null) : null),
    staleTime: 0,
  })

/** Marks one notification as seen, or all up to one. */
export function useSeeNotifications(pgid: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (which: { id: string } | { up_to: string }) =>
      callRoute(seeMyNotifications, { params: { pgid }, body: which }),
    onSettled: () => queries.invalidateQueries({ queryKey: myNotificationsQuery(pgid).queryKey }),
  })
}

export const mySettingsQuery = (pgid: string) =>
  queryOptions({
    queryKey: ['my-notification-settings', pgid],
    queryFn: ({ signal }) => callRoute(readMySettings, { params: { pgid }, signal }),
    staleTime: 60_000,
  })

export function useSaveMySettings(pgid: string) {
  const queries = useQueryClient()
  const { queryKey } = mySettingsQuery(pgid)
  return useMutation({
    mutationFn: (settings: PersonalSettings) => callRoute(saveMySettings, { params: { pgid }, body: { settings } }),
    onSuccess: (saved) => queries.setQueryData(queryKey, saved),
    // what is shown may be outdated
    onError: () => queries.invalidateQueries({ queryKey }),
  })
}
