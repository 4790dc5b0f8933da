import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { removePicture, setPicture } from '../../server/contracts/pictures'
import {
  changeEmail,
  changePassword,
  deleteAccount,
  endOtherSessions,
  endSession,
  listSessions,
  previewDeletion,
  readAccountData,
  updateProfile,
} from '../../server/contracts/profile'
import { refreshAccount } from './account'
import { callRoute } from './client'

/** The account's sessions. */
export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: ({ signal }) => callRoute(listSessions, { signal }).then(({ sessions }) => sessions),
  staleTime: 0,
})

/** What happens to projects if the account is deleted. */
export const deletionQuery = queryOptions({
  queryKey: ['accountDeletion'],
  queryFn: ({ signal }) => callRoute(previewDeletion, { signal }),
  staleTime: 0,
  gcTime: 0,
})

/** What is kept of the account, as a file. */
export const accountDataFile = () =>
  callRoute(readAccountData).then(
    (data) => new Blob([`${JSON.stringify(data, null, 2)}\n`], { type: 'application/json' }),
  )

/** Mutations of the account. */
export function useProfileChanges() {
  const queries = useQueryClient()
  const rename = useMutation({
    mutationFn: (body: { first_name: string; last_name: string }) => callRoute(updateProfile, { body }),
    onSuccess: refreshAccount,
  })
  const picture = useMutation({
    /** @param file a JPEG; null removes the picture */
    mutationFn: async (file: Blob | null) => {
      if (file) await callRoute(setPicture, { file: { content: file, onProgress: () => undefined } })
      else await callRoute(removePicture)
    },
    onSuccess: refreshAccount,
  })
  const email = useMutation({
    mutationFn: (body: { email: string; current: string }) => callRoute(changeEmail, { body }),
  })
  const password = useMutation({
    mutationFn: (body: { current: string; password: string }) => callRoute(changePassword, { body }),
    onSuccess: () => queries.invalidateQueries({ queryKey: sessionsQuery.queryKey }),
  })
  const end = useMutation({
    mutationFn: (gid: string) => callRoute(endSession, { params: { gid } }),
    onSettled: () => queries.invalidateQueries({ queryKey: sessionsQuery.queryKey }),
  })
  const endOthers = useMutation({
    mutationFn: () => callRoute(endOtherSessions),
    onSettled: () => queries.invalidateQueries({ queryKey: sessionsQuery.queryKey }),
  })
  const remove = useMutation({
    mutationFn: (current: string) => callRoute(deleteAccount, { body: { current } }),
  })
  return { rename, picture, email, password, end, endOthers, remove }
}
