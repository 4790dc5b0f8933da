import { sql } from 'kysely'
import { type AgentFigures, MOST_AGENTS } from '../../../contracts/analytics'
import type { ProjectDb } from '../../../platform/database/database'
import { inPlace, type Scope } from '../analytics/scope'
import { rowsIn, type Spans } from '../days/spans'
import { type AgentMeasure, agentMeasures } from './agentMeasures'
import { readHours } from './readHours'

type Sums = Record<AgentMeasure, number>
interface Counted {
  sums: Sums
  /** what was sent, by the hour of the day */
  hours: number[]
}

/** The work of members in a period, who wrote most first; with what each has open at present. */
export async function readAgents(db: ProjectDb, scope: Scope, spans: Spans): Promise<AgentFigures[]> {
  const counted = await readCounted(db, scope, spans)
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

/** What members did, with the hours at which they sent. */
async function readCounted(
  db: ProjectDb,
  scope: Scope,
  { days, edges, ...spans }: Spans,
): Promise<Map<string, Counted>> {
  const measures = sql.raw(agentMeasures.join(', '))
  const sums = sql.raw(agentMeasures.map((name) => `sum(${name})::bigint as ${name}`).join(', '))
  const { rows } = await sql<Record<AgentMeasure, string> & { user_id: string }>`
    select user_id, ${sums} from (
      select user_id, ${measures} from ${rowsIn(days ? [days] : [], 'agent_days', 'day', inPlace(scope, 'agent_days'))}
      union all
      select user_id, ${measures} from ${rowsIn(edges, 'agent_rows', 'quarter', inPlace(scope, 'agent_rows'))}) as done
    group by 1`.execute(db)
  const hours = await readHours(db, scope, spans)
  return new Map(
    rows.map((row) => [
      row.user_id,
      {
        sums: Object.fromEntries(agentMeasures.map((name) => [name, Number(row[name])])) as Sums,
        hours: Array.from({ length: 24 }, (_, hour) => hours.get(`${row.user_id} ${hour}`) ?? 0),
      },
    ]),
  )
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
