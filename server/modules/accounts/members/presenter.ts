import type { Invitation, Member } from '../../../contracts/members'
import { pictureAddress } from '../../../contracts/pictures'
import type { InvitationRow, MemberRow } from './rows'

export function presentMember({ gid, email, first_name, last_name, picture, roles, joined_at }: MemberRow): Member {
  return {
    ...{ gid, email, first_name, last_name },
    picture: pictureAddress(picture),
    roles: roles.toSorted(),
    joined_at: joined_at.toISOString(),
  }
}

export function presentInvitation(row: InvitationRow, now: Date): Invitation {
  const { gid, email, roles, first_name, last_name, created_at, expires_at } = row
  return {
    gid,
    email,
    roles: roles.toSorted(),
    invited_by: first_name === null ? null : `${first_name} ${last_name}`,
    created_at: created_at.toISOString(),
    expires_at: expires_at.toISOString(),
    expired: expires_at <= now,
  }
}
