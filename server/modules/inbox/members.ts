import { sql } from 'kysely'
import { rolesOf } from '../../access/roles'
import type { Db } from '../../platform/database/database'

/** Members who may answer visitors, by name. */
export const answerersOf = (db: Db, projectId: string) =>
  db
    .selectFrom('project_members')
    .innerJoin('users', 'users.id', 'project_members.user_id')
    .select(['users.id', 'users.gid', 'users.first_name', 'users.last_name'])
    .select(['users.picture', 'project_members.is_away'])
    .where('project_members.project_id', '=', projectId)
    .where(sql<boolean>`project_members.roles && ${rolesOf('conversations.reply')}::int[]`)
    .orderBy('users.first_name')
    .orderBy('users.last_name')
    .orderBy('users.id')
    .execute()
