import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import {
  addSignOnDomain,
  changeJoining,
  checkSignOnDomain,
  createScimToken,
  deleteScimToken,
  type Joining,
  readSignOn,
  removeSignOn,
  removeSignOnDomain,
  requireSignOn,
  type SignOn,
  saveSignOn,
  type saveSignOnBody,
} from '../../server/contracts/signOn'
import { callRoute } from './client'

/** The identity provider of a project, and the domains that it speaks for. */
export const signOnQuery = (pgid: string) =>
  queryOptions({
    queryKey: ['sign-on', pgid],
    queryFn: ({ signal }) => callRoute(readSignOn, { params: { pgid }, signal }),
  })

export function useSignOnChanges(pgid: string) {
  const queries = useQueryClient()
  const params = { pgid }
  const onSuccess = (answer: SignOn) => queries.setQueryData(signOnQuery(pgid).queryKey, answer)
  return {
    save: useMutation({
      mutationFn: (body: z.input<typeof saveSignOnBody>) => callRoute(saveSignOn, { params, body }),
      onSuccess,
    }),
    require: useMutation({
      mutationFn: (required: boolean) => callRoute(requireSignOn, { params, body: { required } }),
      onSuccess,
    }),
    join: useMutation({
      mutationFn: (joining: Joining) => callRoute(changeJoining, { params, body: { joining } }),
      onSuccess,
    }),
    makeToken: useMutation({
      mutationFn: () => callRoute(createScimToken, { params }),
      onSuccess: ({ sign_on }) => onSuccess(sign_on),
      // the token is shown once: it is not kept
      gcTime: 0,
    }),
    deleteToken: useMutation({ mutationFn: () => callRoute(deleteScimToken, { params }), onSuccess }),
    remove: useMutation({ mutationFn: () => callRoute(removeSignOn, { params }), onSuccess }),
    addDomain: useMutation({
      mutationFn: (domain: string) => callRoute(addSignOnDomain, { params, body: { domain } }),
      onSuccess,
    }),
    checkDomain: useMutation({
      mutationFn: (gid: string) => callRoute(checkSignOnDomain, { params: { pgid, gid } }),
      onSuccess,
      // what was found out, if only when it was looked for
      onError: () => void queries.invalidateQueries({ queryKey: signOnQuery(pgid).queryKey }),
    }),
    removeDomain: useMutation({
      mutationFn: (gid: string) => callRoute(removeSignOnDomain, { params: { pgid, gid } }),
      onSuccess,
    }),
  }
}
