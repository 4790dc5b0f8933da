import type { Account } from '../../server/contracts/account'
import { isAllowed, parseFeatureRoles, ROLE } from '../api/roles'

/** Where a chatbot of version 1, which has no builder, is tried. */
export const TESTING_VIEW = 'playground'

/** The target of `/`, by the first matching role in SPEC.md 6's order. */
export function landingOf({ user, billing }: Account): string {
  const { project, project_roles: roles, settings, chatbots } = user
  if (!project) return '/projects'
  const home = `/projects/${project.gid}`
  const has = (...wanted: number[]) => wanted.some((role) => roles.includes(role))
  if (has(ROLE.OWNER, ROLE.ADMIN)) return home
  const chatbot = chatbots.find(({ gid }) => gid === settings.default_chatbot_id) ?? chatbots[0]
  const at = (screen: string) => (chatbot ? `${home}/chatbots/${chatbot.gid}/${screen}` : `${home}/chatbots`)
  if (has(ROLE.EDITOR)) return at('data-sources')
  if (has(ROLE.VIEWER)) return at(chatbot?.version === 1 ? TESTING_VIEW : 'builder')
  if (has(ROLE.BILLING)) return `${home}/settings/billing/${billing ? 'subscription' : 'usage'}`
  return has(ROLE.ANALYST) ? at('analytics') : '/projects'
}

/**
 * A chatbot's first screen, relative to its address: the builder, or the testing view of one of version 1 (SPEC.md 4);
 * without the right to it, the analytics.
 */
export function chatbotLandingOf({ user, fr }: Account): 'builder' | typeof TESTING_VIEW | 'analytics' {
  const sees = (feature: string) => isAllowed(feature, user.project_roles, parseFeatureRoles(fr))
  if (user.chatbot?.version === 1 && sees('playground.view')) return TESTING_VIEW
  return sees('builder.view') ? 'builder' : 'analytics'
}
