import { sql } from 'kysely'
import { type AgentFigures, MOST_AGENTS } from '../../../contracts/analytics'
import type { ProjectDb } from '../../../platform/database/database'
import { inPlace, inScope, type Scope } from '../analytics/scope'
import { type AgentMeasure, agentMeasures } from './agentMeasures'

type Sums = Record<AgentMeasure, string> & { user_id: string }

/** The work of members in a period, who wrote most first; with what each has open at present. */
export async function readAgents(db: ProjectDb, scope: Scope): Promise<AgentFigures[]> {
  const sums = sql.raw(agentMeasures.map((name) => `sum(${name})::bigint as ${name}`).join(', '))
  const { rows } = await sql<Sums>`
    select user_id, ${sums} from agent_rows as rows where ${inScope(scope, 'rows')}
    group by user_id having sum(taken + replied + closed + sent) > 0
    order by sum(messages) desc, sum(taken) desc, user_id limit ${MOST_AGENTS}`.execute(db)
  const open = await readOpen(db, scope)
  const counted = new Map(rows.map((row) => [row.user_id, row]))
  const ids = [...new Set([...counted.keys(), ...open.keys()])].slice(0, MOST_AGENTS)
  if (ids.length === 0) return []
  const people = await readPeople(db, ids)
  const hours = await readHours(db, scope, ids)
  return ids.flatMap((id) => {
    const person = people.get(id)
    if (!person) return []
    const { user_id: _, sent: __, ...figures } = counted.get(id) ?? none(id)
    const numbers = Object.fromEntries(Object.entries(figures).map(([name, value]) => [name, Number(value)]))
    const own = numbers as Record<keyof typeof figures, number>
    return [{ ...person, ...own, open: open.get(id) ?? 0, hours: hours.get(id) ?? noHours() }]
  })
}

const noHours = (): number[] => Array.from({ length: 24 }, () => 0)
const none = (user_id: string): Sums => ({
  user_id,
  ...(Object.fromEntries(agentMeasures.map((name) => [name, '0'])) as Record<AgentMeasure, string>),
})

/** Conversations that members have at present, by member, who has most first. */
async function readOpen(db: ProjectDb, scope: Scope): Promise<Map<string, number>> {
  const { rows } = await sql<{ user_id: string; open: string }>`
    select assignee_id as user_id, count(*) as open from conversations c
    where ${inPlace(scope, 'c')} and status = 'person' and environment in ('production', 'sharing')
      and assignee_id is not null
    group by 1 order by 2 desc, 1 limit ${MOST_AGENTS}`.execute(db)
  return new Map(rows.map(({ user_id, open }) => [user_id, Number(open)]))
}

async function readPeople(db: ProjectDb, ids: readonly string[]): Promise<Map<string, { gid: string; name: string }>> {
  const { rows } = await sql<{ id: string; gid: string; name: string }>`
    select id, gid, trim(concat_ws(' ', first_name, last_name)) as name from users
    where id = any(${ids}::bigint[])`.execute(db)
  return new Map(rows.map(({ id, ...person }) => [id, person]))
}

async function readHours(db: ProjectDb, scope: Scope, ids: readonly string[]): Promise<Map<string, number[]>> {
  const { rows } = await sql<{ user_id: string; hour: number; sent: string }>`
    select user_id, extract(hour from quarter at time zone ${scope.period.zone})::int as hour, sum(sent) as sent
    from agent_rows as rows where ${inScope(scope, 'rows')} and sent > 0 and user_id = any(${ids}::bigint[])
    group by 1, 2`.execute(db)
  const hours = new Map(ids.map((id) => [id, noHours()]))
  for (const { user_id, hour, sent } of rows) {
    const own = hours.get(user_id)
    if (own) own[hour] = Number(sent)
  }
  return hours
}
