import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import {
  addWeeklyGuest,
  readWeeklyMail,
  removeWeeklyGuest,
  saveWeeklyMail,
  type WeeklyMail,
} from '../../server/contracts/weeklyMail'
import { callRoute } from './client'

/** The account's own weekly mail about a chatbot, or about the project. */
export const weeklyMailQuery = (pgid: string, chatbot: string | undefined) =>
  queryOptions({
    queryKey: ['weekly-mail', pgid, chatbot ?? ''],
    queryFn: ({ signal }) =>
      callRoute(readWeeklyMail, { params: { pgid }, query: { ...(chatbot !== undefined && { chatbot }) }, signal }),
    staleTime: 0,
  })

/** What the account does with its weekly mail and its guests. */
export function useWeeklyMail(pgid: string, chatbot: string | undefined) {
  const client = useQueryClient()
  const about = { ...(chatbot !== undefined && { chatbot }) }
  const { queryKey } = weeklyMailQuery(pgid, chatbot)
  const onSuccess = (mail: WeeklyMail) => client.setQueryData(queryKey, mail)
  return {
    save: useMutation({
      mutationFn: (body: Pick<WeeklyMail, 'enabled' | 'weekday' | 'hour' | 'zone'>) =>
        callRoute(saveWeeklyMail, { params: { pgid }, body: { ...about, ...body } }),
      onSuccess,
    }),
    add: useMutation({
      mutationFn: (email: string) => callRoute(addWeeklyGuest, { params: { pgid }, body: { ...about, email } }),
      onSuccess,
    }),
    remove: useMutation({
      mutationFn: (gid: string) => callRoute(removeWeeklyGuest, { params: { pgid, gid } }),
      onSuccess: () => client.invalidateQueries({ queryKey }),
    }),
  }
}
