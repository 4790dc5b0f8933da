import { Role } from '../../../access/roles'
import { ApiError } from '../../../platform/errors'

const isOwner = (roles: readonly number[]) => roles.includes(Role.OWNER)

/**
 * The owner's role is given and taken by owners alone, whoever else may change members.
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
 * A project always has an owner. @param after the roles that the member is to have; none for one who goes
 * @throws ApiError `conflict` when the change would take the last one
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
