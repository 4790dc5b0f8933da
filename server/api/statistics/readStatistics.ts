import { sql } from 'kysely'
import type { ServerContext } from '../../context'
import { type FlowStatistics, LEFT_AFTER_MINUTES, type StatisticsFilter } from './contract'

interface FlowPlace {
  projectId: string
  chatbotId: string
  /** '' is the main flow */
  flow: string
}

/** The statistics of one flow as they were counted last, see `countVisits`. */
export async function readStatistics(
  { db, clock }: Pick<ServerContext, 'db' | 'clock'>,
  place: FlowPlace,
  filter: StatisticsFilter,
): Promise<FlowStatistics> {
  const inChatbot = { projectId: place.projectId, chatbotId: place.chatbotId }
  const [standing, places, versions] = await Promise.all([
    readStanding({ db, clock }, inChatbot, filter),
    readPlaces(db, place, filter),
    readVersions(db, inChatbot),
  ])
  const leftHere = standing.left.filter(({ flow }) => flow === place.flow)
  const leftIn = sumBy(leftHere, ({ group_id }) => group_id ?? '')
  const left = standing.left.reduce((sum, { count }) => sum + count, 0)
  return {
    totals: { ...standing.totals, left },
    left_elsewhere: left - leftHere.reduce((sum, { count }) => sum + count, 0),
    groups: places
      .filter(({ kind }) => kind === 'group')
      .map(({ kind: _, ...reach }) => ({ ...reach, left: leftIn.get(reach.id) ?? 0 })),
    edges: places.filter(({ kind }) => kind === 'edge').map(({ kind: _, ...reach }) => reach),
    blocks: [...sumBy(leftHere, ({ block_id }) => block_id ?? '')].map(([id, count]) => ({ id, left: count })),
    versions,
  }
}

/** How the conversations stand: how many there are, are over, were left and where. */
async function readStanding(
  { db, clock }: Pick<ServerContext, 'db' | 'clock'>,
  { projectId, chatbotId }: Omit<FlowPlace, 'flow'>,
  filter: StatisticsFilter,
) {
  const quietSince = new Date(clock().getTime() - LEFT_AFTER_MINUTES * 60_000)
  const conversations = db
    .selectFrom('conversation_visits as visits')
    .where('visits.project_id', '=', projectId)
    .where('visits.chatbot_id', '=', chatbotId)
    .$if(filter.from !== undefined, (all) => all.where('visits.day', '>=', filter.from ?? ''))
    .$if(filter.to !== undefined, (all) => all.where('visits.day', '<=', filter.to ?? ''))
    .$if(filter.environment !== undefined, (all) =>
      all.where('visits.environment', '=', filter.environment ?? 'production'),
    )
    .$if(filter.version !== undefined, (all) =>
      all.where('visits.flow_version_id', 'in', ofVersion(db, { projectId, chatbotId }, filter.version ?? 0)),
    )
  const [totals, left] = await Promise.all([
    conversations
      .select(({ fn }) => [
        fn.countAll<string>().as('conversations'),
        fn.countAll<string>().filterWhere('visits.status', '=', 'completed').as('completed'),
        sql<number | null>`percentile_disc(0.5) within group (order by visits.replies)`.as('median_replies'),
      ])
      .executeTakeFirstOrThrow(),
    conversations
      .select(['visits.flow', 'visits.group_id', 'visits.block_id'])
      .select(({ fn }) => fn.countAll<string>().as('count'))
      .where((at) =>
        at.or([
          at('visits.status', '=', 'left'),
          at.and([at('visits.status', '=', 'waiting'), at('visits.last_at', '<=', quietSince)]),
        ]),
      )
      .groupBy(['visits.flow', 'visits.group_id', 'visits.block_id'])
      .execute(),
  ])
  return {
    totals: {
      conversations: Number(totals.conversations),
      completed: Number(totals.completed),
      median_replies: totals.median_replies,
    },
    left: left.map(({ count, ...at }) => ({ ...at, count: Number(count) })),
  }
}

/** How often the flow's places were seen; distinct conversations add up, since each counts on one day, in one version. */
async function readPlaces(
  db: ServerContext['db'],
  { projectId, chatbotId, flow }: FlowPlace,
  filter: StatisticsFilter,
) {
  const rows = await db
    .selectFrom('place_visits as visits')
    .where('visits.project_id', '=', projectId)
    .where('visits.chatbot_id', '=', chatbotId)
    .where('visits.flow', '=', flow)
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

/** The version of that number: the chatbot's main flow has it. */
const ofVersion = (db: ServerContext['db'], { projectId, chatbotId }: Omit<FlowPlace, 'flow'>, number: number) =>
  versionsOf(db, { projectId, chatbotId }).select('flow_versions.id').where('flow_versions.number', '=', number)

const versionsOf = (db: ServerContext['db'], { projectId, chatbotId }: Omit<FlowPlace, 'flow'>) =>
  db
    .selectFrom('flow_versions')
    .innerJoin('flows', (join) =>
      join.onRef('flows.id', '=', 'flow_versions.flow_id').onRef('flows.project_id', '=', 'flow_versions.project_id'),
    )
    .where('flows.project_id', '=', projectId)
    .where('flows.chatbot_id', '=', chatbotId)

async function readVersions(db: ServerContext['db'], chatbot: Omit<FlowPlace, 'flow'>): Promise<number[]> {
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
