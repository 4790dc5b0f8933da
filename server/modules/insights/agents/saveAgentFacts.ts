import { sql } from 'kysely'
import type { Work } from '../../../platform/database/database'
import { filters } from '../days/passes'
import { agentDimensions, agentMeasures } from './agentMeasures'
import type { AgentFacts } from './readAgentFacts'

const columns = (names: readonly string[]) => sql.raw(names.join(', '))
const each = (write: (name: string) => string) => sql.raw(agentMeasures.map(write).join(', '))

/** The tables of sums, each with its moment, and with what that is of a fact's quarter. */
const sums = [
  ['agent_rows', 'quarter', 'quarter'],
  // its day is that of UTC
  ['agent_days', 'day', "date_bin('1 day', quarter, 'epoch')"],
] as const

/** The facts take the place of those that the conversations had; the sums change by what they differ. */
export async function saveAgentFacts(work: Work, ids: readonly string[], facts: readonly AgentFacts[]): Promise<void> {
  const json = JSON.stringify(facts)
  const change = sql`(
    select ${columns(agentDimensions)}, ${columns(agentMeasures)}
      from json_populate_recordset(null::agent_facts, ${json}::json)
    union all
    select ${columns(agentDimensions)}, ${each((name) => `-${name}`)}
      from agent_facts where conversation_id = any(${ids}::bigint[])) as change`
  for (const [table, moment, ofQuarter] of sums)
    await sql`
      insert into ${sql.table(table)} as sums
        (project_id, chatbot_id, ${sql.ref(moment)}, environment, channel, user_id, ${columns(agentMeasures)})
      select project_id, chatbot_id, ${sql.raw(ofQuarter)}, environment, channel, user_id, ${each((name) => `sum(${name})`)}
      from ${change} group by 1, 2, 3, 4, 5, 6 order by 2, 3, 4, 5, 6
      on conflict (chatbot_id, ${sql.ref(moment)}, environment, channel, user_id) do update set
        ${each((name) => `${name} = sums.${name} + excluded.${name}`)}`.execute(work)
  await sql`
    insert into agent_hours as sums (project_id, chatbot_id, environment, channel, month, user_id, slot, sent)
    select project_id, chatbot_id, filter.environment, filter.channel, date_trunc('month', quarter, 'UTC'), user_id,
      extract(epoch from quarter)::bigint / 900 % 96, sum(sent)
    from ${change} cross join lateral ${filters('change')}
    group by 1, 2, 3, 4, 5, 6, 7 having sum(sent) <> 0 order by 2, 3, 4, 5, 6, 7
    on conflict (chatbot_id, environment, channel, month, user_id, slot) do update
      set sent = sums.sent + excluded.sent`.execute(work)
  await sql`delete from agent_facts where conversation_id = any(${ids}::bigint[])`.execute(work)
  await sql`insert into agent_facts select * from json_populate_recordset(null::agent_facts, ${json}::json)`.execute(
    work,
  )
}
