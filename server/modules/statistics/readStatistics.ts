import { sql } from 'kysely'
import { type FlowStatistics, LEFT_AFTER_MINUTES, type StatisticsFilter } from '../../contracts/statistics'
import type { ServerContext } from '../../platform/context'
import type { Db } from '../../platform/database/database'
import type { Database } from '../../platform/database/tables'
import { type Days, monthsIn } from './months'

interface Filter extends StatisticsFilter {
  channel?: string | undefined
}
export interface FlowPlace {
  projectId: string
  chatbotId: string
  /** '' is the main flow */
  flow: string
}

/** The statistics of one flow as last counted, see `countVisits`. */
export async function readStatistics(
  { db, clock }: { db: Db } & Pick<ServerContext, 'clock'>,
  place: FlowPlace,
  filter: Filter,
): Promise<FlowStatistics> {
  const inChatbot = { projectId: place.projectId, chatbotId: place.chatbotId }
  const [standing, places, versions] = await Promise.all([
    readStanding({ db, clock }, inChatbot, filter),
    readPlaces(db, place, filter, ['group', 'edge']),
    readVersions(db, inChatbot),
  ])
  const leftHere = standing.left.filter(({ flow }) => flow === place.flow)
  const leftIn = sumBy(leftHere, ({ group_id }) => group_id)
  const left = sum(standing.left)
  return {
    totals: { ...standing.totals, left },
    left_elsewhere: left - sum(leftHere),
    groups: places
      .filter(({ kind }) => kind === 'group')
      .map(({ kind: _, ...reach }) => ({ ...reach, left: leftIn.get(reach.id) ?? 0 })),
    edges: places.filter(({ kind }) => kind === 'edge').map(({ kind: _, ...reach }) => reach),
    blocks: [...sumBy(leftHere, ({ block_id }) => block_id)].map(([id, count]) => ({ id, left: count })),
    versions,
  }
}

/**
 * How many conversations there are, have ended, and were left, and where. Reads counts, and only current conversations.
 */
async function readStanding(
  { db, clock }: { db: Db } & Pick<ServerContext, 'clock'>,
  { projectId, chatbotId }: Omit<FlowPlace, 'flow'>,
  filter: Filter,
) {
  const quietSince = new Date(clock().getTime() - LEFT_AFTER_MINUTES * 60_000)
  const version = filter.version === undefined ? null : ofVersion(db, { projectId, chatbotId }, filter.version)
  const columns = ['status', 'flow', 'group_id', 'block_id', 'replies', 'conversations']
  const { rows: counts } = await sql<
    Standing & { status: Database['visit_counts']['status']; replies: number; count: string }
  >`
    select status, flow, group_id, block_id, replies, sum(conversations) as count
    from ${countsIn(db, { projectId, chatbotId }, filter, ['visit_counts', 'visit_months'], columns)}
    group by 1, 2, 3, 4, 5 having sum(conversations) > 0`.execute(db)
  // waiting conversations count as left, except for these
  const present = await db
    .selectFrom('run_visits as visits')
    .where('visits.project_id', '=', projectId)
    .where('visits.chatbot_id', '=', chatbotId)
    .where('visits.status', '=', 'waiting')
    .where('visits.last_at', '>', quietSince)
    .$if(filter.from !== undefined, (all) => all.where('visits.day', '>=', filter.from ?? ''))
    .$if(filter.to !== undefined, (all) => all.where('visits.day', '<=', filter.to ?? ''))
    .$if(filter.environment !== undefined, (all) =>
      all.where('visits.environment', '=', filter.environment ?? 'production'),
    )
    .$if(filter.channel !== undefined, (all) => all.where('visits.channel', '=', filter.channel ?? ''))
    .$if(version !== null, (all) => all.where('visits.flow_version_id', 'in', version ?? []))
    .select(({ fn, val }) => [
      fn.coalesce('visits.flow', val(NOWHERE)).as('flow'),
      fn.coalesce('visits.group_id', val('')).as('group_id'),
      fn.coalesce('visits.block_id', val('')).as('block_id'),
    ])
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .groupBy(['visits.flow', 'visits.group_id', 'visits.block_id'])
    .execute()
  const numbered = counts.map((row) => ({ ...row, count: Number(row.count) }))
  const silent = numbered.filter(({ status }) => status === 'left' || status === 'waiting')
  const placeOf = ({ flow, group_id, block_id }: Standing) => JSON.stringify([flow, group_id, block_id])
  const left = sumBy([...silent, ...present.map((row) => ({ ...row, count: -Number(row.count) }))], placeOf)
  return {
    totals: {
      conversations: sum(numbered),
      completed: sum(numbered.filter(({ status }) => status === 'completed')),
      median_replies: median(numbered),
    },
    left: [...left].flatMap(([place, count]) => {
      const [flow, group_id, block_id] = JSON.parse(place) as [string, string, string]
      return count > 0 ? [{ flow, group_id, block_id, count }] : []
    }),
  }
}

/** In `visit_counts`: waiting outside any flow. */
const NOWHERE = '?'

interface Standing {
  flow: string
  group_id: string
  block_id: string
}

const sum = (rows: readonly { count: number }[]): number => rows.reduce((total, { count }) => total + count, 0)

/** The median of replies; null without conversations. */
function median(rows: readonly { replies: number; count: number }[]): number | null {
  const half = sum(rows) / 2
  let passed = 0
  for (const { replies, count } of rows.toSorted((a, b) => a.replies - b.replies)) {
    passed += count
    if (passed >= half) return replies
  }
  return null
}

/**
 * Visits of the flow's places of some kinds; distinct conversations can be added up, since each counts for one day and
 * version.
 */
export async function readPlaces(
  db: Db,
  { projectId, chatbotId, flow }: FlowPlace,
  filter: Filter,
  kinds: readonly ('group' | 'edge' | 'block')[],
) {
  const columns = ['flow', 'kind', 'place', 'conversations', 'visits']
  const { rows } = await sql<Place>`
    select kind, place as id, sum(conversations) as conversations, sum(visits) as visits
    from ${countsIn(db, { projectId, chatbotId }, filter, ['place_visits', 'place_months'], columns)}
    where flow = ${flow} and kind = any(${kinds}::text[])
    group by 1, 2 order by 2`.execute(db)
  return rows.map((row) => ({ ...row, conversations: Number(row.conversations), visits: Number(row.visits) }))
}

interface Place {
  kind: Database['place_visits']['kind']
  id: string
  conversations: string
  visits: string
}

/**
 * Rows of a chatbot that a filter lets through, as `counts`: of whole months from the table of months, of the rest from
 * that of days.
 */
function countsIn(
  db: Db,
  { projectId, chatbotId }: Omit<FlowPlace, 'flow'>,
  filter: Filter,
  [ofDays, ofMonths]: readonly [string, string],
  columns: readonly string[],
) {
  const { environment, channel, version } = filter
  const { months, days } = monthsIn(filter)
  const passes = sql`project_id = ${projectId} and chatbot_id = ${chatbotId}
    and ${environment === undefined ? sql`true` : sql`environment = ${environment}`}
    and ${channel === undefined ? sql`true` : sql`channel = ${channel}`}
    and ${version === undefined ? sql`true` : sql`flow_version_id in (${ofVersion(db, { projectId, chatbotId }, version)})`}`
  const rowsOf = (table: string, day: string, { from, until }: Days) => sql`
    select ${sql.raw(columns.join(', '))} from ${sql.table(table)}
    where ${passes} and ${from === null ? sql`true` : sql`${sql.ref(day)} >= ${from}::date`}
      and ${until === null ? sql`true` : sql`${sql.ref(day)} < ${until}::date`}`
  const parts = [
    ...days.map((part) => rowsOf(ofDays, 'day', part)),
    ...(months ? [rowsOf(ofMonths, 'month', months)] : []),
  ]
  return sql`(${sql.join(parts, sql` union all `)}) as counts`
}

/** The version with that number, which belongs to the chatbot's main flow. */
const ofVersion = (db: Db, { projectId, chatbotId }: Omit<FlowPlace, 'flow'>, number: number) =>
  versionsOf(db, { projectId, chatbotId }).select('flow_versions.id').where('flow_versions.number', '=', number)

const versionsOf = (db: Db, { projectId, chatbotId }: Omit<FlowPlace, 'flow'>) =>
  db
    .selectFrom('flow_versions')
    .innerJoin('flows', (join) =>
      join.onRef('flows.id', '=', 'flow_versions.flow_id').onRef('flows.project_id', '=', 'flow_versions.project_id'),
    )
    .where('flows.project_id', '=', projectId)
    .where('flows.chatbot_id', '=', chatbotId)

async function readVersions(db: Db, chatbot: Omit<FlowPlace, 'flow'>): Promise<number[]> {
  const rows = await versionsOf(db, chatbot)
    .select('flow_versions.number')
    .where('flow_versions.number', 'is not', null)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('place_visits')
          .select('place_visits.place')
          .where('place_visits.project_id', '=', chatbot.projectId)
          .whereRef('place_visits.flow_version_id', '=', 'flow_versions.id'),
      ),
    )
    .orderBy('flow_versions.number', 'desc')
    .execute()
  return rows.flatMap(({ number }) => number ?? [])
}

function sumBy<Row extends { count: number }>(rows: readonly Row[], key: (row: Row) => string): Map<string, number> {
  const sums = new Map<string, number>()
  for (const row of rows) sums.set(key(row), (sums.get(key(row)) ?? 0) + row.count)
  return sums
}
