import { sql } from 'kysely'
import { personOf } from '../../../../engine/document/person'
import { rolesOf } from '../../../access/roles'
import type { CommentPerson } from '../../../contracts/comments'
import type { Db } from '../../../platform/database/database'

/** A person's name in comments and mails: the same as in presence. */
export const nameOf = (account: { gid: string; first_name: string; last_name: string; email: string }): string =>
  personOf({ ...account, id: account.gid }).name

/** Members who may see flows: they can be mentioned, and get mails. */
export function viewersOf(db: Db, projectId: string) {
  return db
    .selectFrom('project_members')
    .innerJoin('users', 'users.id', 'project_members.user_id')
    .select(['users.id', 'users.gid', 'users.email', 'users.first_name', 'users.last_name'])
    .where('project_members.project_id', '=', projectId)
    .where(sql<boolean>`project_members.roles && ${rolesOf('builder.view')}::int[]`)
    .orderBy('users.first_name')
    .orderBy('users.last_name')
    .orderBy('users.id')
    .execute()
}

export interface People {
  /** @param name the remaining name of a deleted account */
  author: (id: string | null, name: string) => CommentPerson
  mentioned: (gid: string) => CommentPerson
}

/** Accounts by id (authors) or gid (mentions) with their present names; members or not. */
export async function findPeople(
  db: Db,
  projectId: string,
  { ids, gids }: { ids: readonly (string | null)[]; gids: readonly string[] },
): Promise<People> {
  const known = [...new Set(ids.flatMap((id) => id ?? []))]
  const rows =
    known.length + gids.length === 0
      ? []
      : await db
          .selectFrom('users')
          .leftJoin('project_members', (join) =>
            join.onRef('project_members.user_id', '=', 'users.id').on('project_members.project_id', '=', projectId),
          )
          .select(['users.id', 'users.gid', 'users.email', 'users.first_name', 'users.last_name'])
          .select('project_members.user_id as member')
          .where(sql<boolean>`users.id = any(${known}::bigint[]) or users.gid = any(${[...new Set(gids)]}::text[])`)
          .execute()
  const people = rows.map((row) => ({
    id: row.id,
    person: present({ ...row, id: row.gid }, row.gid, row.member === null),
  }))
  const byId = new Map(people.map(({ id, person }) => [id, person]))
  const byGid = new Map(people.map(({ person }) => [person.gid, person]))
  return {
    author: (id, name) => byId.get(id ?? '') ?? present(nobody(name), null, true),
    mentioned: (gid) => byGid.get(gid) ?? present(nobody('former member'), gid, true),
  }
}

function present(account: Parameters<typeof personOf>[0], gid: string | null, former: boolean): CommentPerson {
  const { name, color } = personOf(account)
  return { gid, name, color, former }
}

const nobody = (name: string) => ({ id: name, first_name: name, last_name: '', email: '' })
