import { sql } from 'kysely'
import type { Work } from '../../../platform/database/database'
import { agentDimensions, agentMeasures } from './agentMeasures'
import type { AgentFacts } from './readAgentFacts'

const columns = (names: readonly string[]) => sql.raw(names.join(', '))
const each = (write: (name: string) => string) => sql.raw(agentMeasures.map(write).join(', '))

/** The facts take the place of those that the conversations had; the sums change by what they differ. */
export async function saveAgentFacts(work: Work, ids: readonly string[], facts: readonly AgentFacts[]): Promise<void> {
  const json = JSON.stringify(facts)
  await sql`
    insert into agent_rows (${columns(agentDimensions)}, ${columns(agentMeasures)})
    select ${columns(agentDimensions)}, ${each((name) => `sum(${name})`)} from (
      select ${columns(agentDimensions)}, ${columns(agentMeasures)}
        from json_populate_recordset(null::agent_facts, ${json}::json)
      union all
      select ${columns(agentDimensions)}, ${each((name) => `-${name}`)}
        from agent_facts where conversation_id = any(${ids}::bigint[])) as change
    group by ${columns(agentDimensions)}
    order by chatbot_id, quarter, environment, channel, user_id
    on conflict (chatbot_id, quarter, environment, channel, user_id) do update set
      ${each((name) => `${name} = agent_rows.${name} + excluded.${name}`)}`.execute(work)
  await sql`delete from agent_facts where conversation_id = any(${ids}::bigint[])`.execute(work)
  await sql`insert into agent_facts select * from json_populate_recordset(null::agent_facts, ${json}::json)`.execute(
    work,
  )
}
