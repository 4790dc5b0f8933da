import type { RoleOfGroup } from '../../contracts/signOn'
import type { Claims } from './provider'

/** What is looked at of a claim: a directory may have people in thousands of groups. */
const MOST_GROUPS = 2_000

/** How a project's provider gives roles. */
export interface RoleMapping {
  default_role: number
  role_claim: string
  role_map: readonly RoleOfGroup[]
}

/**
 * The roles that a person's groups give, or the default one.
 * @param claims of the provider; the claim may be a text or a list of texts, anything else names no group
 */
export function rolesFor({ default_role, role_claim, role_map }: RoleMapping, claims: Claims): number[] {
  const claim = role_claim === '' || !Object.hasOwn(claims, role_claim) ? [] : claims[role_claim]
  const groups = new Set<unknown>((Array.isArray(claim) ? claim : [claim]).slice(0, MOST_GROUPS))
  const given = role_map.filter(({ value }) => groups.has(value)).map(({ role }) => role)
  return given.length > 0 ? [...new Set<number>(given)].sort() : [default_role]
}
