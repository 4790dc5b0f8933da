import { z } from 'zod'

/** SPEC.md 6. */
export const ROLE = {
  OWNER: 1,
  ADMIN: 2,
  EDITOR: 3,
  ANALYST: 4,
  BILLING: 5,
  VIEWER: 6,
} as const

/** group -> feature -> allowed role numbers */
export type FeatureRoles = Record<string, Record<string, number[]>>
const featureRoles = z.record(z.string(), z.record(z.string(), z.array(z.number())))

/** Parses the account's `fr`: base64 of JSON. Null if invalid, which denies everything. */
export function parseFeatureRoles(fr: string): FeatureRoles | null {
  try {
    const read = featureRoles.safeParse(JSON.parse(atob(fr)))
    return read.success ? read.data : null
  } catch {
    return null
  }
}

/** SPEC.md 6: whether any of the roles is in the feature's list; false without roles, map or entry. */
export function isAllowed(feature: string, roles: readonly number[], map: FeatureRoles | null): boolean {
  const [group = '', name = ''] = feature.split('.')
  const allowed = map && Object.hasOwn(map, group) ? map[group] : undefined
  const list = allowed && Object.hasOwn(allowed, name) ? allowed[name] : undefined
  return list !== undefined && roles.some((role) => list.includes(role))
}
