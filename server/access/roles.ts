import type { Feature } from '../contracts/route'

/** SPEC.md 6. */
export const Role = { OWNER: 1, ADMIN: 2, EDITOR: 3, ANALYST: 4, BILLING: 5, VIEWER: 6 } as const
export type Role = (typeof Role)[keyof typeof Role]

/** Role names in mails. */
export const roleNames: Record<Role, string> = {
  1: 'Owner',
  2: 'Admin',
  3: 'Editor',
  4: 'Analyst',
  5: 'Billing',
  6: 'Viewer',
}

const owner = [1] as const
const admins = [1, 2] as const
const editors = [1, 2, 3] as const
const readers = [1, 2, 3, 6] as const
const analysts = [1, 2, 4] as const
const payers = [1, 2, 5] as const

type Features = Record<string, readonly Role[]>
const each = (names: string, roles: readonly Role[]): Features =>
  Object.fromEntries(names.split(' ').map((name) => [name, roles]))

/**
 * Which roles have a feature: the only such map, enforced on every call and socket, and sent to the interface as `fr`.
 * Features that are not listed are denied to everybody. The rows are those of the table in PRODUCT.md.
 */
export const featureRoles: Record<string, Features> = {
  dashboard: each('view', admins),
  project: {
    ...each('view', [1, 2, 3, 4, 5, 6]),
    ...each('update export audit', admins),
    ...each('delete transfer', owner),
  },
  members: each('view invite update remove', admins),
  chatbots: {
    ...each('view', [1, 2, 3, 4, 6]),
    ...each('create update duplicate', editors),
    ...each('delete', admins),
  },
  knowledge_base: each('view create update delete resync link connect', editors),
  instructions: each('view update', editors),
  ai: each('view update', editors),
  actions: each('view create update delete test', editors),
  builder: { ...each('view', readers), ...each('update publish rollback variables intents comment', editors) },
  playground: each('view use', readers),
  testing: each('view use', readers),
  appearance: each('view update', editors),
  settings: each('view update', editors),
  visibility: each('view update', editors),
  security: each('update', admins),
  custom_domain: each('view update delete', admins),
  whatsapp: { ...each('view profile broadcast', editors), ...each('connect disconnect', admins) },
  integrations: { ...each('view', editors), ...each('connect disconnect', admins) },
  embed: each('view update', editors),
  share: each('view update', editors),
  conversations: each('view reply update delete export', analysts),
  contacts: each('view create update delete export erase', analysts),
  analytics: each('view export', analysts),
  exports: each('view download delete', analysts),
  notifications: each('view update', admins),
  api_keys: each('view create delete', admins),
  billing: {
    ...each('plans usage', [1, 2, 3, 4, 5]),
    ...each('subscription invoices checkout cancel addons bonus_credits', payers),
    // what stays when a plan shrinks
    ...each('limits', owner),
  },
  onboarding: each('view dismiss', editors),
}

/** The roles that have a feature; none for an unknown one. */
export function rolesOf(feature: Feature): readonly Role[] {
  const [group = '', name = ''] = feature.split('.')
  const features = Object.hasOwn(featureRoles, group) ? featureRoles[group] : undefined
  return features && Object.hasOwn(features, name) ? (features[name] ?? []) : []
}

/** False without roles, and for an unknown feature. */
export function isAllowed(roles: readonly number[], feature: Feature): boolean {
  return rolesOf(feature).some((role) => roles.includes(role))
}

/** Who may let a test carry out real changes (PRODUCT.md: editors, not viewers). */
export const mayCarryOut = (roles: readonly number[]): boolean => isAllowed(roles, 'builder.update')

/** The landing page of each role (SPEC.md 6), in matching order, with the feature needed to see it. */
export const landings = [
  { roles: [Role.OWNER, Role.ADMIN], screen: 'dashboard', feature: 'dashboard.view' },
  { roles: [Role.EDITOR], screen: 'knowledge-base', feature: 'knowledge_base.view' },
  { roles: [Role.VIEWER], screen: 'builder', feature: 'builder.view' },
  { roles: [Role.BILLING], screen: 'billing-subscription', feature: 'billing.subscription' },
  { roles: [Role.ANALYST], screen: 'analytics', feature: 'analytics.view' },
] as const satisfies { roles: Role[]; screen: string; feature: Feature }[]
