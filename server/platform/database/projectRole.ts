import pg from 'pg'

/** What a handle of one project works as: it owns no table, so that row-level security holds for it. */
const ROLE = 'parley_project'
const SETTING = 'parley.project'
const NOT_ALLOWED = '42501'
const NO_SUCH_ROLE = '22023'
/** Of people, a project sees who they are, and nothing that lets in. */
const shownOfUsers = 'id, gid, email, first_name, last_name, email_verified, created_at'

/**
 * Row-level security for every table that has a `project_id`: whoever works as the role sees and writes rows of the project that is set on
 * the connection alone. The login itself owns the tables and is not held by it. Run at each start after the migrations, so that no new
 * table can be forgotten; what stands already is left as it is.
 * @returns false where the login may neither make the role nor use it: an administrator does that once (database/README.md)
 */
export async function protectProjects(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ name: string; secured: boolean; policed: boolean }>(`
    select t.relname as name, t.relrowsecurity as secured,
      exists (select from pg_policy p where p.polrelid = t.oid and p.polname = 'of_project') as policed
    from pg_class t
    where t.relnamespace = current_schema()::regnamespace and t.relkind in ('r', 'p')
      and (t.relname = 'projects' or exists (
        select from pg_attribute a where a.attrelid = t.oid and a.attname = 'project_id' and not a.attisdropped))
    order by 1`)
  for (const { name, secured, policed } of rows) {
    const table = client.escapeIdentifier(name)
    const mine = `${name === 'projects' ? 'id' : 'project_id'} = current_setting('${SETTING}')::bigint`
    if (!policed) await client.query(`create policy of_project on ${table} using (${mine}) with check (${mine})`)
    if (!secured) await client.query(`alter table ${table} enable row level security`)
  }
  if (!(await mayWorkAsRole(client))) return false
  const names = rows.map(({ name }) => client.escapeIdentifier(name)).join(', ')
  const { rows: schema } = await client.query<{ name: string }>('select current_schema() as name')
  const place = client.escapeIdentifier(schema[0]?.name ?? '')
  await client.query(`grant usage on schema ${place} to ${ROLE}`)
  // ids that a statement takes beforehand
  await client.query(`grant usage on all sequences in schema ${place} to ${ROLE}`)
  await client.query(`grant select, insert, update, delete on ${names} to ${ROLE}`)
  await client.query(`grant select (${shownOfUsers}) on users to ${ROLE}`)
  return true
}

/** Makes the role where there is none: it belongs to the server, which may hold several databases of ours. */
async function mayWorkAsRole(client: pg.Client): Promise<boolean> {
  // another installation on the same server may make it at the same moment
  const { rowCount } = await client.query(`select from pg_roles where rolname = '${ROLE}'`)
  if (rowCount === 0) await client.query(`create role ${ROLE} nologin`).catch(() => {})
  if (!(await worksAsRole(client))) await client.query(`grant ${ROLE} to current_user`).catch(() => {})
  return worksAsRole(client)
}

/**
 * Whether row-level security stands behind the queries of one project, which wants that the login may work as the role. It tries: who may
 * grant a role may not always take it.
 */
export async function worksAsRole(client: Pick<pg.ClientBase, 'query'>): Promise<boolean> {
  try {
    await client.query(`set role ${ROLE}`)
    await client.query('reset role')
    return true
  } catch (error) {
    if (error instanceof pg.DatabaseError && (error.code === NOT_ALLOWED || error.code === NO_SUCH_ROLE)) return false
    throw error
  }
}

/** Sets whose rows a pool's connections see when they are taken out of it. */
export function createScopes() {
  /** the project that a connection was left at; none for one that sees all */
  const left = new WeakMap<pg.PoolClient, string>()
  /** whether the login may work as the role; asked once */
  let able: boolean | undefined

  return {
    /** @param projectId null for all rows */
    async enter(client: pg.PoolClient, projectId: string | null): Promise<void> {
      if ((left.get(client) ?? null) === projectId) return
      able ??= await worksAsRole(client)
      if (projectId !== null && !able) return
      const role = projectId === null ? 'none' : ROLE
      await client.query({
        name: 'scope',
        text: `select set_config('role', $1, false), set_config('${SETTING}', $2, false)`,
        values: [role, projectId ?? ''],
      })
      if (projectId === null) left.delete(client)
      else left.set(client, projectId)
    },
  }
}
