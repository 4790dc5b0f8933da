import type { RoleOfGroup } from '../../contracts/signOn'
import type { Claims } from './provider'

/** What is looked at of a claim: a directory may have people in thousands of groups. */
const MOST_GROUPS = 2_000

/** How groups give roles in a project. */
export interface GroupMapping {
  default_role: number
  role_map: readonly RoleOfGroup[]
}
/** How a project's provider gives roles. */
export interface RoleMapping extends GroupMapping {
  role_claim: string
}

/**
 * The roles that a person's groups give, or the default one.
 * @param claims of the provider; the claim may be a text or a list of texts, anything else names no group
 */
export function rolesFor(mapping: RoleMapping, claims: Claims): number[] {
  const { role_claim } = mapping
  const claim = role_claim === '' || !Object.hasOwn(claims, role_claim) ? [] : claims[role_claim]
  return rolesOf(mapping, new Set<unknown>((Array.isArray(claim) ? claim : [claim]).slice(0, MOST_GROUPS)))
}

/** The roles that groups give, in order; the default one for who is in none that gives any. */
export function rolesOf({ default_role, role_map }: GroupMapping, groups: ReadonlySet<unknown>): number[] {
  const given = role_map.filter(({ value }) => groups.has(value)).map(({ role }) => role)
  return given.length > 0 ? [...new Set<number>(given)].sort() : [default_role]
}
