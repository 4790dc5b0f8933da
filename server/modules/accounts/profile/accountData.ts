import { roleNames } from '../../../access/roles'
import type { AccountData } from '../../../contracts/profile'
import type { Db } from '../../../platform/database/database'
import { sessionsOf } from './sessionList'

const SETTINGS = [
  'onboarding_survey_completed',
  'onboarding_displayed',
  'hide_onboarding_checklist',
  'hide_v2_upgrade_announcement',
  'hide_builder_tutorial_video_popup',
  'hide_contact_variables_deprecation_popup',
  'show_feature_vote_1',
] as const

/**
 * What is kept of an account, for its person.
 * @param token of the calling session
 */
export async function accountDataOf(db: Db, userId: string, token: string, now: Date): Promise<AccountData> {
  const user = await db
    .selectFrom('users')
    .leftJoin('two_factors', 'two_factors.user_id', 'users.id')
    .select(['gid', 'email', 'first_name', 'last_name', 'email_verified', 'language', 'users.created_at'])
    .select('confirmed_at')
    .where('users.id', '=', userId)
    .executeTakeFirstOrThrow()
  const picture = await db.selectFrom('user_pictures').select('bytes').where('user_id', '=', userId).executeTakeFirst()
  const projects = await db
    .selectFrom('project_members')
    .innerJoin('projects', 'projects.id', 'project_members.project_id')
    .select(['projects.gid', 'projects.name', 'project_members.roles', 'project_members.created_at'])
    .where('project_members.user_id', '=', userId)
    .orderBy('projects.id')
    .execute()
  const keys = await db
    .selectFrom('api_keys')
    .innerJoin('projects', 'projects.id', 'api_keys.project_id')
    .select(['api_keys.name', 'projects.gid as project', 'api_keys.created_at', 'api_keys.last_used_at'])
    .where('api_keys.user_id', '=', userId)
    .orderBy('api_keys.id')
    .execute()
  const passkeys = await db
    .selectFrom('passkeys')
    .select(['name', 'created_at', 'used_at'])
    .where('user_id', '=', userId)
    .orderBy('passkeys.id')
    .execute()
  const kept = await db
    .selectFrom('user_settings')
    .select([...SETTINGS, 'survey', 'feature_vote'])
    .where('user_id', '=', userId)
    .executeTakeFirst()
  const { gid, created_at, confirmed_at, ...account } = user
  const { survey = null, feature_vote = null, ...settings } = kept ?? {}
  return {
    account: {
      ...{ id: gid, ...account },
      picture: picture ? `data:image/jpeg;base64,${picture.bytes.toString('base64')}` : null,
      two_factor_since: confirmed_at?.toISOString() ?? null,
      created_at: created_at.toISOString(),
    },
    passkeys: passkeys.map(({ name, created_at: at, used_at }) => ({
      name,
      created_at: at.toISOString(),
      used_at: used_at?.toISOString() ?? null,
    })),
    sessions: await sessionsOf(db, userId, token, now),
    projects: projects.map(({ gid: id, name, roles, created_at: joined }) => ({
      id,
      name,
      roles: roles.map((role) => roleNames[role as keyof typeof roleNames]),
      joined_at: joined.toISOString(),
    })),
    api_keys: keys.map(({ name, project, created_at: at, last_used_at }) => ({
      name,
      project,
      created_at: at.toISOString(),
      last_used_at: last_used_at?.toISOString() ?? null,
    })),
    settings: kept ? settings : null,
    survey,
    feature_vote,
  }
}
