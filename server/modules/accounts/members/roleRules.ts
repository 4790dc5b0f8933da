import { Role } from '../../../access/roles'
import { ApiError } from '../../../platform/errors'

const isOwner = (roles: readonly number[]) => roles.includes(Role.OWNER)

/**
 * Only owners grant and revoke the owner's role.
 * @throws ApiError `forbidden`
 */
export function refuseForeignOwner(
  caller: readonly number[],
  before: readonly number[],
  after: readonly number[],
): void {
  if (isOwner(before) === isOwner(after) || isOwner(caller)) return
  throw new ApiError('forbidden', { message: 'Only owners can grant or remove the owner role.' })
}

/**
 * Ensures that a project keeps an owner.
 * @param after the member's new roles; none if the member leaves
 * @throws ApiError `conflict` if the change would remove the last one
 */
export function keepAnOwner(
  members: readonly { gid: string; roles: readonly number[] }[],
  gid: string,
  after: readonly number[],
): void {
  const owners = members.filter((member) => isOwner(member.gid === gid ? after : member.roles))
  if (owners.length > 0) return
  throw new ApiError('conflict', {
    message: 'A project needs an owner. Make someone else an owner first.',
  })
}
