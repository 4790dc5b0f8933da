import type { Account } from '../../server/contracts/account'
import { isAllowed, parseFeatureRoles, ROLE } from '../api/roles'

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
  if (has(ROLE.VIEWER)) return at('builder')
  if (has(ROLE.BILLING)) return `${home}/settings/billing/${billing ? 'subscription' : 'usage'}`
  return has(ROLE.ANALYST) ? at('analytics') : '/projects'
}

/** A chatbot's first screen, relative to its address: the builder or, without the right to it, the analytics. */
export const chatbotLandingOf = ({ user, fr }: Account): 'builder' | 'analytics' =>
  isAllowed('builder.view', user.project_roles, parseFeatureRoles(fr)) ? 'builder' : 'analytics'
