import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import {
  changeRoles,
  changeSignInRule,
  inviteMembers,
  leaveProject,
  listMembers,
  removeMember,
  resendInvitation,
  revokeInvitation,
} from '../../server/contracts/members'
import { refreshAccount } from './account'
import { callRoute } from './client'

export type RoleNumber = 1 | 2 | 3 | 4 | 5 | 6

/** A project's members, invitations, and seats. */
export const membersQuery = (pgid: string) =>
  queryOptions({
    queryKey: ['members', pgid],
    queryFn: ({ signal }) => callRoute(listMembers, { params: { pgid }, signal }),
    staleTime: 0,
  })

/** Mutations of a project's members; they update the list and the account (seats, own roles). */
export function useMemberChanges(pgid: string) {
  const queries = useQueryClient()
  // also after a failure: usually the list is outdated
  const onSettled = async () => {
    await Promise.all([queries.invalidateQueries({ queryKey: membersQuery(pgid).queryKey }), refreshAccount()])
  }
  const invite = useMutation({
    mutationFn: (body: { emails: string[]; roles: RoleNumber[] }) =>
      callRoute(inviteMembers, { params: { pgid }, body }),
    onSettled,
  })
  const resend = useMutation({
    mutationFn: (gid: string) => callRoute(resendInvitation, { params: { pgid, gid } }),
    onSettled,
  })
  const revoke = useMutation({
    mutationFn: (gid: string) => callRoute(revokeInvitation, { params: { pgid, gid } }),
    onSettled,
  })
  const change = useMutation({
    mutationFn: ({ gid, roles }: { gid: string; roles: RoleNumber[] }) =>
      callRoute(changeRoles, { params: { pgid, gid }, body: { roles } }),
    onSettled,
  })
  const remove = useMutation({
    mutationFn: (gid: string) => callRoute(removeMember, { params: { pgid, gid } }),
    onSettled,
  })
  const signInRule = useMutation({
    mutationFn: (second_factor_required: boolean) =>
      callRoute(changeSignInRule, { params: { pgid }, body: { second_factor_required } }),
    onSettled,
  })
  return { signInRule, invite, resend, revoke, change, remove }
}

/** Leaves the project; nothing in it is accessible afterwards. */
export const useLeaveProject = () =>
  useMutation({ mutationFn: (pgid: string) => callRoute(leaveProject, { params: { pgid } }) })
