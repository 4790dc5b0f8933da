import pg from 'pg'

/** The role of project handles: it owns no table, so row-level security applies to it. */
const ROLE = 'parley_project'
const SETTING = 'parley.project'
const NOT_ALLOWED = '42501'
const NO_SUCH_ROLE = '22023'
/** The columns of users that a project sees: who they are, but no credentials. */
const shownOfUsers = 'id, gid, email, first_name, last_name, picture, email_verified, language, created_at'

/**
 * Enables row-level security on every table with a `project_id`: this role sees and writes only rows of the project set
 * on the connection. The login itself owns the tables and is not restricted. Runs at each start after the migrations,
 * so that no new table is forgotten; existing policies stay.
 * @returns false if the login can neither create nor use the role: an administrator does that once (database/README.md)
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
  // for ids that statements allocate in advance
  await client.query(`grant usage on all sequences in schema ${place} to ${ROLE}`)
  await client.query(`grant select, insert, update, delete on ${names} to ${ROLE}`)
  await client.query(`grant select (${shownOfUsers}) on users to ${ROLE}`)
  return true
}

/** Creates the role if missing. Roles belong to the server, which may hold several of our databases. */
async function mayWorkAsRole(client: pg.Client): Promise<boolean> {
  // another installation on the same server may create it at the same time
  const { rowCount } = await client.query(`select from pg_roles where rolname = '${ROLE}'`)
  if (rowCount === 0) await client.query(`create role ${ROLE} nologin`).catch(() => {})
  if (!(await worksAsRole(client))) await client.query(`grant ${ROLE} to current_user`).catch(() => {})
  return worksAsRole(client)
}

/**
 * Whether row-level security is active for project queries, which requires that the login can switch to the role. Tries
 * it: who may grant a role can't always use it.
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

/** Sets which rows a connection sees when it is checked out of the pool. */
export function createScopes() {
  /** the project that a connection is set to; absent: all rows */
  const left = new WeakMap<pg.PoolClient, string>()
  /** whether the login can use the role; determined once */
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
