import { acceptInvitation } from '../../server/contracts/invitations'
import { inviteMembers } from '../../server/contracts/members'
import type { Registered, TestServer } from './server'

type RoleNumber = 1 | 2 | 3 | 4 | 5 | 6

/** The token in an invitation's or reset's link. */
export function tokenOf(link: string): string {
  const { searchParams, pathname } = new URL(link)
  return searchParams.get('token') ?? pathname.split('/').at(-1) ?? ''
}

/** A person with an own account who has accepted an invitation to the owner's project. */
export async function inviteMember(server: TestServer, owner: Registered, ...roles: RoleNumber[]): Promise<Registered> {
  const person = await server.register()
  const { invited } = await owner.call(inviteMembers, {
    params: { pgid: owner.pgid },
    body: { emails: [person.user.email], roles },
  })
  await person.call(acceptInvitation, { body: { token: tokenOf(invited[0]?.link ?? '') } })
  return person
}
