import pg from 'pg'
import type { Connection } from '../../../server/platform/database/database'

/** Reads all that a project has. */
export interface Content {
  /** the rows of each table as one text */
  of(projectId: string): Promise<ReadonlyMap<string, string>>
  close(): Promise<void>
}

/** Counts that a consumer of events or a sweep keeps up in its own time: they change while nobody calls. */
const counted: ReadonlySet<string> = new Set([
  ...['insight_pending', 'conversation_facts', 'insight_rows', 'insight_courses', 'asked_questions', 'flow_results'],
  ...['insight_days', 'insight_changes', 'insight_rolled', 'insight_visitors', 'insight_names'],
  ...['insight_credits', 'asked_wordings', 'agent_days', 'agent_hours'],
  ...['agent_acts', 'agent_facts', 'agent_rows'],
  ...['run_visits', 'run_places', 'turn_paths', 'place_visits', 'visit_counts', 'place_months', 'visit_months'],
])

/** Opens a connection of its own, on which the statement over all tables is planned once: that takes longer than it. */
export async function openContent(connection: Connection): Promise<Content> {
  const client = new pg.Client(connection)
  await client.connect()
  await client.query('set plan_cache_mode = force_generic_plan')
  const { rows: tables } = await client.query<{ name: string }>(`
    select table_name as name from information_schema.columns
    where table_schema = 'public' and column_name = 'project_id' order by 1`)
  const parts = tables
    .filter(({ name }) => !counted.has(name))
    .map(({ name }) => [name, 'project_id'])
    .concat([['projects', 'id']])
    .map(
      ([name, column]) => `
        select '${name}' as name, coalesce(string_agg(t::text, '|' order by t::text), '') as content
        from "${name}" as t where t."${column}" = $1`,
    )
  const statement = { name: 'content', text: parts.join(' union all ') }
  return {
    async of(projectId) {
      const { rows } = await client.query<{ name: string; content: string }>({ ...statement, values: [projectId] })
      return new Map(rows.map(({ name, content }) => [name, content]))
    },
    close: () => client.end(),
  }
}
