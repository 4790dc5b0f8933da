import { type FlowStatistics, LEFT_AFTER_MINUTES, type StatisticsFilter } from '../../contracts/statistics'
import type { ServerContext } from '../../platform/context'
import type { Db } from '../../platform/database/database'

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
  const counts = await db
    .selectFrom('visit_counts as counts')
    .where('counts.project_id', '=', projectId)
    .where('counts.chatbot_id', '=', chatbotId)
    .$if(filter.from !== undefined, (all) => all.where('counts.day', '>=', filter.from ?? ''))
    .$if(filter.to !== undefined, (all) => all.where('counts.day', '<=', filter.to ?? ''))
    .$if(filter.environment !== undefined, (all) =>
      all.where('counts.environment', '=', filter.environment ?? 'production'),
    )
    .$if(filter.channel !== undefined, (all) => all.where('counts.channel', '=', filter.channel ?? ''))
    .$if(version !== null, (all) => all.where('counts.flow_version_id', 'in', version ?? []))
    .select(['counts.status', 'counts.flow', 'counts.group_id', 'counts.block_id', 'counts.replies'])
    .select(({ fn }) => fn.sum<string>('counts.conversations').as('count'))
    .groupBy(['counts.status', 'counts.flow', 'counts.group_id', 'counts.block_id', 'counts.replies'])
    .having(({ fn }) => fn.sum('counts.conversations'), '>', 0)
    .execute()
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
  const rows = await db
    .selectFrom('place_visits as visits')
    .where('visits.project_id', '=', projectId)
    .where('visits.chatbot_id', '=', chatbotId)
    .where('visits.flow', '=', flow)
    .where('visits.kind', 'in', kinds)
    .$if(filter.channel !== undefined, (all) => all.where('visits.channel', '=', filter.channel ?? ''))
    .$if(filter.from !== undefined, (all) => all.where('visits.day', '>=', filter.from ?? ''))
    .$if(filter.to !== undefined, (all) => all.where('visits.day', '<=', filter.to ?? ''))
    .$if(filter.environment !== undefined, (all) =>
      all.where('visits.environment', '=', filter.environment ?? 'production'),
    )
    .$if(filter.version !== undefined, (all) =>
      all.where('visits.flow_version_id', 'in', ofVersion(db, { projectId, chatbotId }, filter.version ?? 0)),
    )
    .select(['visits.kind', 'visits.place as id'])
    .select(({ fn }) => [
      fn.sum<string>('visits.conversations').as('conversations'),
      fn.sum<string>('visits.visits').as('visits'),
    ])
    .groupBy(['visits.kind', 'visits.place'])
    .orderBy('visits.place')
    .execute()
  return rows.map((row) => ({ ...row, conversations: Number(row.conversations), visits: Number(row.visits) }))
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
