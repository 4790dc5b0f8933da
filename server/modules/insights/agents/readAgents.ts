import { sql } from 'kysely'
import { type AgentFigures, MOST_AGENTS } from '../../../contracts/analytics'
import type { ProjectDb } from '../../../platform/database/database'
import { inPlace, inScope, type Scope } from '../analytics/scope'
import { type AgentMeasure, agentMeasures } from './agentMeasures'

type Sums = Record<AgentMeasure, number>
interface Counted {
  sums: Sums
  /** what was sent, by the hour of the day */
  hours: number[]
}

/** The work of members in a period, who wrote most first; with what each has open at present. */
export async function readAgents(db: ProjectDb, scope: Scope): Promise<AgentFigures[]> {
  const counted = await readCounted(db, scope)
  const open = await readOpen(db, scope)
  const busiest = [...counted]
    .filter(([, { sums }]) => sums.taken + sums.replied + sums.closed + sums.sent > 0)
    .toSorted(([id, one], [id2, other]) => compare(one.sums, other.sums) || Number(id) - Number(id2))
    .map(([id]) => id)
  const ids = [...new Set([...busiest.slice(0, MOST_AGENTS), ...open.keys()])].slice(0, MOST_AGENTS)
  if (ids.length === 0) return []
  const people = await readPeople(db, ids)
  return ids.flatMap((id) => {
    const person = people.get(id)
    if (!person) return []
    const { sums, hours } = counted.get(id) ?? nothing()
    const { sent: _, ...figures } = sums
    return [{ ...person, ...figures, open: open.get(id) ?? 0, hours }]
  })
}

const compare = (one: Sums, other: Sums): number => other.messages - one.messages || other.taken - one.taken

const nothing = (): Counted => ({
  sums: Object.fromEntries(agentMeasures.map((name) => [name, 0])) as Sums,
  hours: Array.from({ length: 24 }, () => 0),
})

/** What members did, in one pass by their hours of the day. */
async function readCounted(db: ProjectDb, scope: Scope): Promise<Map<string, Counted>> {
  const sums = sql.raw(agentMeasures.map((name) => `sum(${name})::bigint as ${name}`).join(', '))
  const { rows } = await sql<Record<AgentMeasure, string> & { user_id: string; hour: number }>`
    select user_id, extract(hour from quarter at time zone ${scope.period.zone})::int as hour, ${sums}
    from agent_rows as rows where ${inScope(scope, 'rows')}
    group by 1, 2`.execute(db)
  const counted = new Map<string, Counted>()
  for (const row of rows) {
    const own = counted.get(row.user_id) ?? nothing()
    for (const name of agentMeasures) own.sums[name] += Number(row[name])
    own.hours[row.hour] = Number(row.sent)
    counted.set(row.user_id, own)
  }
  return counted
}

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
