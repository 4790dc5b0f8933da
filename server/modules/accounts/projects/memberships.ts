import type { Entitled } from '../../../access/entitlements'
import { isMemberOver } from '../../../access/overLimit'
import type { Db } from '../../../platform/database/database'

export interface Membership extends Entitled {
  id: string
  gid: string
  name: string
  roles: number[]
  /** their seat is over the plan's limit */
  over: boolean
  second_factor_required: boolean
  sign_on_domains: string[]
  by_sign_on: boolean
  allowed_addresses: string
  is_default: boolean
  chatbots: number
  updated_at: Date
}

/** The user's projects, the default one first. If there are any, one is the default. */
export async function membershipsOf(db: Db, userId: string): Promise<Membership[]> {
  const rows = await db
    .selectFrom('project_members')
    .innerJoin('projects', 'projects.id', 'project_members.project_id')
    .select(({ selectFrom }) => [
      'projects.id',
      'projects.gid',
      'projects.name',
      'projects.plan_id',
      'projects.addons',
      'projects.updated_at',
      'projects.second_factor_required',
      'projects.sign_on_domains',
      'project_members.by_sign_on',
      'projects.allowed_addresses',
      'project_members.roles',
      isMemberOver.as('over'),
      selectFrom('chatbots')
        .whereRef('chatbots.project_id', '=', 'projects.id')
        .where('chatbots.deleting_since', 'is', null)
        .where('chatbots.sample', '=', false)
        .select(({ fn }) => fn.countAll<string>().as('count'))
        .as('chatbots'),
    ])
    .where('project_members.user_id', '=', userId)
    .orderBy('project_members.is_default', 'desc')
    .orderBy('projects.id')
    .execute()
  // the default project may have been deleted by another owner: then the oldest replaces it
  return rows.map((row, index) => ({ ...row, is_default: index === 0, chatbots: Number(row.chatbots) }))
}
