import type { Project } from '../../../contracts/projects'
import type { Membership } from './memberships'

export function presentProject(project: Pick<Membership, 'gid' | 'name' | 'is_default'>): Project {
  return { gid: project.gid, name: project.name, default: project.is_default }
}

export function presentListed(project: Membership) {
  return {
    ...presentProject(project),
    roles: project.roles,
    chatbots: project.chatbots,
    updated_at: project.updated_at.toISOString(),
  }
}
