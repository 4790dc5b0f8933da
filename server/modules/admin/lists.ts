import { sql } from 'kysely'
import { Role } from '../../access/roles'
import { ADMIN_ROWS, type AdminPerson, type AdminProject } from '../../contracts/admin'
import type { Config } from '../../platform/config/config'
import type { RootDb } from '../../platform/database/database'
import { monthOf } from '../billing/months'
import { isLive } from '../subscriptions/subscriptionState'

/** Rows of a list, and whether there are more than it shows. */
interface Listed<Row> {
  rows: Row[]
  more: boolean
}

/** A text as the middle of a pattern of LIKE, in which it stands for itself. */
const within = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`

const cut = <Row>(rows: Row[]): Listed<Row> => ({ rows: rows.slice(0, ADMIN_ROWS), more: rows.length > ADMIN_ROWS })

/**
 * The projects of an installation, newest first, each with what it uses.
 * @param search a part of a name, an id, or a part of an owner's address; empty: all
 */
export async function allProjects(db: RootDb, search: string, now: Date): Promise<Listed<AdminProject>> {
  const owners = sql<string[]>`coalesce((select array_agg(users.email order by users.email) from project_members
    join users on users.id = project_members.user_id
    where project_members.project_id = projects.id and ${sql.lit(Role.OWNER)} = any(project_members.roles)), '{}')`
  const rows = await db
    .selectFrom('projects')
    .leftJoin('subscriptions', 'subscriptions.project_id', 'projects.id')
    .select(['gid', 'name', 'plan_id', 'addons', 'created_at', 'suspended_at', 'suspended_why', 'subscriptions.state'])
    .select(owners.as('owners'))
    .select(({ selectFrom, fn }) => [
      selectFrom('project_members')
        .whereRef('project_members.project_id', '=', 'projects.id')
        .select(fn.countAll<string>().as('count'))
        .as('members'),
      selectFrom('chatbots')
        .whereRef('chatbots.project_id', '=', 'projects.id')
        .where('deleting_since', 'is', null)
        .select(fn.countAll<string>().as('count'))
        .as('chatbots'),
      selectFrom('credit_months')
        .whereRef('credit_months.project_id', '=', 'projects.id')
        .where('month', '=', monthOf(now))
        .select('used')
        .as('used'),
    ])
    .$if(search !== '', (query) =>
      query.where(({ eb, or }) =>
        or([
          eb('projects.name', 'ilike', within(search)),
          eb('projects.gid', '=', search),
          sql<boolean>`${owners}::text ilike ${within(search)}`,
        ]),
      ),
    )
    .orderBy('projects.id', 'desc')
    .limit(ADMIN_ROWS + 1)
    .execute()
  return cut(
    rows.map(({ addons, used, state, created_at, suspended_at, ...row }) => ({
      ...row,
      members: Number(row.members),
      chatbots: Number(row.chatbots),
      credits_used: Number(used ?? 0),
      bonus_ai_credits: addons['bonus-ai-credits'] ?? 0,
      pays: isLive(state),
      created_at: created_at.toISOString(),
      suspended_at: suspended_at?.toISOString() ?? null,
    })),
  )
}

/**
 * The people of an installation, newest first.
 * @param search a part of a name or address; empty: all
 */
export async function allPeople(
  db: RootDb,
  { operators }: Pick<Config, 'operators'>,
  search: string,
): Promise<Listed<AdminPerson>> {
  const rows = await db
    .selectFrom('users')
    .select(['gid', 'email', 'first_name', 'last_name', 'created_at', 'suspended_at', 'suspended_why'])
    .select([
      sql<Date | null>`(select max(sessions.seen_at) from sessions where sessions.user_id = users.id)`.as('seen_at'),
      sql<string[]>`coalesce((select array_agg(projects.name order by projects.id) from project_members
        join projects on projects.id = project_members.project_id
        where project_members.user_id = users.id), '{}')`.as('projects'),
      sql<boolean>`exists (select from two_factors
        where two_factors.user_id = users.id and confirmed_at is not null)`.as('two_factor'),
      sql<boolean>`exists (select from installation where installation.owner_id = users.id)`.as('owner'),
    ])
    .$if(search !== '', (query) =>
      query.where(({ eb, or }) =>
        or([
          eb('email', 'ilike', within(search)),
          eb(sql<string>`first_name || ' ' || last_name`, 'ilike', within(search)),
        ]),
      ),
    )
    .orderBy('users.id', 'desc')
    .limit(ADMIN_ROWS + 1)
    .execute()
  return cut(
    rows.map(({ gid, email, first_name, last_name, created_at, suspended_at, suspended_why, ...row }) => ({
      gid,
      email,
      name: `${first_name} ${last_name}`.trim(),
      projects: row.projects,
      seen_at: row.seen_at?.toISOString() ?? null,
      created_at: created_at.toISOString(),
      operator: row.owner || operators.includes(email),
      two_factor: row.two_factor,
      suspended_at: suspended_at?.toISOString() ?? null,
      suspended_why,
    })),
  )
}
