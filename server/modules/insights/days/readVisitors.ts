import { sql } from 'kysely'
import type { ProjectDb } from '../../../platform/database/database'
import { inPlace, type Scope } from '../analytics/scope'
import { passes } from './passes'
import { rowsIn, type Span, type Spans } from './spans'

/**
 * The distinct visitors of a period; browsers that keep no id count once a conversation. Of days that are rolled up
 * those count who were not there since the first whole day began. The others are looked at one by one: those of the
 * remaining days and of the end, unless they were there before in a day that is rolled up; those of the beginning,
 * unless they come again.
 */
export async function readVisitors(db: ProjectDb, scope: Scope, spans: Spans): Promise<number> {
  const { from, until, days, rolled, raw, edges } = spans
  if (!days || rolled.length === 0) return countSeen(db, seenIn(scope, [{ from, until }]), sql`null`)
  const first = days.from.toISOString()
  const cameFirst = sql`${passes(scope, 'insight_visitors')} and last_day < ${first}::timestamptz`
  const { rows } = await sql<{ visitors: string }>`
    select coalesce(sum(conversations), 0) as visitors
    from ${rowsIn(rolled, 'insight_visitors', 'day', cameFirst)}`.execute(db)
  const beginning = edges.filter((edge) => edge.from < days.from)
  const others = [...raw, ...edges.filter((edge) => edge.from >= days.from)]
  const wasThere = cameIn(scope, sql`${first}::timestamptz`, sql`seen.first`)
  const comesAgain = cameIn(scope, sql`${first}::timestamptz`, sql`${until.toISOString()}::timestamptz`)
  return (
    Number(rows[0]?.visitors ?? 0) +
    (await countSeen(db, seenIn(scope, others), wasThere)) +
    (await countSeen(db, seenIn(scope, beginning), comesAgain))
  )
}

/** Those of spans, with their first conversation in them. Grouped, which PostgreSQL can hash. */
const seenIn = (scope: Scope, spans: readonly Span[]) => sql`(
  select chatbot_id, visitor, count(*) as conversations, min(started_at) as first
  from ${rowsIn(spans, 'conversation_facts', 'started_at', inPlace(scope, 'conversation_facts'))} group by 1, 2)`

/** @param isElsewhere who counts elsewhere already: an expression, not a condition, so that it is looked up for each */
async function countSeen(
  db: ProjectDb,
  seen: ReturnType<typeof seenIn>,
  isElsewhere: ReturnType<typeof cameIn>,
): Promise<number> {
  const { rows } = await sql<{ visitors: string }>`
    select coalesce(sum(case when seen.visitor is null then seen.conversations when ${isElsewhere} then 0 else 1 end), 0)
      as visitors from ${seen} as seen`.execute(db)
  return Number(rows[0]?.visitors ?? 0)
}

const cameIn = (scope: Scope, from: ReturnType<typeof sql>, until: ReturnType<typeof sql>) => sql`(
  select true from conversation_facts as facts
  where ${inPlace(scope, 'facts')} and facts.chatbot_id = seen.chatbot_id and facts.visitor = seen.visitor
    and facts.started_at >= ${from} and facts.started_at < ${until} limit 1)`
