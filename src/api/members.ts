import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import {
  changeRoles,
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

/** Who belongs to a project, who is invited, and what is left of its seats. */
export const membersQuery = (pgid: string) =>
  queryOptions({
    queryKey: ['members', pgid],
    queryFn: ({ signal }) => callRoute(listMembers, { params: { pgid }, signal }),
    staleTime: 0,
  })

/** The changes of a project's members; each keeps the list and the account (its seats, one's own roles) in step. */
export function useMemberChanges(pgid: string) {
  const queries = useQueryClient()
  // also after a failure: what it says is mostly that the list is out of date
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
  return { invite, resend, revoke, change, remove }
}

/** Goes out of a project oneself; nothing of it can be read afterwards. */
export const useLeaveProject = () =>
  useMutation({ mutationFn: (pgid: string) => callRoute(leaveProject, { params: { pgid } }) })
