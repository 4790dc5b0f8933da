import { sql } from 'kysely'
import type { ServerContext } from '../../platform/context'
import type { Work } from '../../platform/database/database'
import type { TurnPath } from './turnPath'

/** Any number that nothing else in Parley locks. */
const COUNTING_LOCK = 7_027_702
/** Runs counted per transaction, and the most transactions per call: the rest is left to the next call. */
const AT_ONCE = 500
const ROUNDS = 200

interface ChatbotRef {
  projectId: string
  chatbotId: string
}

/**
 * Counts what turns have added since the last time: how far each run got, how often each place was visited. For one
 * chatbot if given, otherwise for all. Does nothing while another process counts, and skips runs that are in a turn.
 */
export async function countVisits({ db }: Pick<ServerContext, 'db'>, chatbot: ChatbotRef | null = null): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) {
    const counted = await db.transaction().execute((work) => countSome(work, chatbot))
    if (counted < AT_ONCE) return
  }
}

/** @returns how many runs were counted */
async function countSome(work: Work, chatbot: ChatbotRef | null): Promise<number> {
  const lock = await sql<{ held: boolean }>`select pg_try_advisory_xact_lock(${COUNTING_LOCK}) as held`.execute(work)
  if (!lock.rows[0]?.held) return 0
  const ids = await pendingRuns(work, chatbot)
  if (ids.length === 0) return 0
  const runs = await lockRuns(work, ids)
  const paths = await takePaths(
    work,
    runs.map(({ id }) => id),
  )
  const rows: VisitsRow[] = []
  const tally = new Map<string, PlaceRow>()
  const reached: ReachedRow[] = []
  for (const run of runs) {
    const row = follow(run, paths.get(run.id) ?? [], { tally, reached })
    if (row) rows.push(row)
  }
  await saveVisits(work, rows)
  await saveReached(work, reached)
  await addPlaces(work, [...tally.values()])
  return runs.length
}

async function pendingRuns(work: Work, chatbot: ChatbotRef | null): Promise<string[]> {
  const rows = await work
    .selectFrom('turn_paths')
    .select('run_id')
    .distinct()
    .$if(chatbot !== null, (paths) =>
      paths.where('project_id', '=', chatbot?.projectId ?? '').where('chatbot_id', '=', chatbot?.chatbotId ?? ''),
    )
    .orderBy('run_id')
    .limit(AT_ONCE)
    .execute()
  return rows.map(({ run_id }) => run_id)
}

/**
 * The runs with their counts so far. Locks them before rows that refer to them, and their conversations before them, in
 * the same order as deletions, so that no deadlock occurs.
 */
function lockRuns(work: Work, ids: readonly string[]) {
  return work
    .selectFrom('conversations')
    .innerJoin('runs', (join) =>
      join
        .onRef('runs.conversation_id', '=', 'conversations.id')
        .onRef('runs.project_id', '=', 'conversations.project_id'),
    )
    .leftJoin('run_visits', (join) =>
      join.onRef('run_visits.run_id', '=', 'runs.id').onRef('run_visits.project_id', '=', 'runs.project_id'),
    )
    .select(['runs.id', 'runs.project_id', 'conversations.chatbot_id'])
    .select(['runs.flow_version_id', 'conversations.environment', 'conversations.channel', 'conversations.analytics'])
    .select('runs.state')
    .select(['run_visits.replies', 'run_visits.places'])
    .select(sql<string>`to_char(runs.created_at at time zone 'utc', 'YYYY-MM-DD')`.as('day'))
    .where('runs.id', '=', sql<string>`any(${ids}::bigint[])`)
    .orderBy('conversations.id')
    .forKeyShare(['conversations', 'runs'])
    .skipLocked()
    .execute()
}
type Counted = Awaited<ReturnType<typeof lockRuns>>[number]

interface TakenPath {
  path: TurnPath
  at: Date
}

/** Takes their pending paths in order, and those of deleted runs. */
async function takePaths(work: Work, ids: readonly string[]): Promise<Map<string, TakenPath[]>> {
  const taken = await work
    .deleteFrom('turn_paths')
    .where((at) =>
      at.or([
        at('run_id', '=', sql<string>`any(${ids}::bigint[])`),
        at.not(at.exists(at.selectFrom('runs').select('runs.id').whereRef('runs.id', '=', 'turn_paths.run_id'))),
      ]),
    )
    .returning(['run_id', 'turn', 'path', 'at'])
    .execute()
  const byRun = new Map<string, TakenPath[]>()
  for (const { run_id, ...rest } of taken.toSorted((a, b) => a.turn - b.turn)) {
    const of = byRun.get(run_id)
    if (of) of.push(rest)
    else byRun.set(run_id, [rest])
  }
  return byRun
}

interface VisitsRow {
  run_id: string
  project_id: string
  chatbot_id: string
  flow_version_id: string
  environment: string
  channel: string
  day: string
  status: TurnPath['status']
  flow: string | null
  group_id: string | null
  block_id: string | null
  last_at: Date
  replies: number
  places: string[]
}
type PlaceRow = Pick<VisitsRow, 'project_id' | 'chatbot_id' | 'flow_version_id' | 'environment' | 'channel' | 'day'> & {
  flow: string
  kind: 'group' | 'edge' | 'block'
  place: string
  conversations: number
  visits: number
}
/** A place that a run has come to for the first time. */
type ReachedRow = Pick<VisitsRow, 'run_id' | 'project_id' | 'chatbot_id' | 'day'> & Pick<PlaceRow, 'kind' | 'place'>

/**
 * Adds a run's new turns to the tally, and the groups and blocks of the main flow that they came to first.
 * @returns its new state; null without new turns, and for a visitor who is not to be counted
 */
function follow(
  run: Counted,
  paths: readonly TakenPath[],
  { tally, reached }: { tally: Map<string, PlaceRow>; reached: ReachedRow[] },
): VisitsRow | null {
  const last = paths.at(-1)
  if (!last || !run.analytics) return null
  const { id, state, replies, places, analytics: _, ...where } = run
  const seen = new Set(places)
  const see = (kind: PlaceRow['kind'], flow: string, place: string) => {
    const key = `${kind} ${flow}/${place}`
    const tallyKey = `${where.flow_version_id} ${where.environment} ${where.channel} ${where.day} ${key}`
    const row = tally.get(tallyKey) ?? { ...where, flow, kind, place, conversations: 0, visits: 0 }
    row.visits += 1
    if (!seen.has(key)) {
      row.conversations += 1
      const { project_id, chatbot_id, day } = where
      if (flow === '' && kind !== 'edge') reached.push({ run_id: id, project_id, chatbot_id, day, kind, place })
    }
    seen.add(key)
    tally.set(tallyKey, row)
  }
  for (const { path } of paths) {
    for (const [flow, groupId] of path.entered) see('group', flow, groupId)
    for (const [flow, edgeId] of path.taken) see('edge', flow, edgeId)
    for (const [flow, blockId] of path.reached ?? []) see('block', flow, blockId)
  }
  const { status, at } = last.path
  return {
    ...where,
    run_id: id,
    status,
    flow: at?.flow ?? null,
    group_id: at?.groupId ?? null,
    block_id: at?.blockId ?? null,
    last_at: last.at,
    replies: (replies ?? 0) + paths.filter(({ path }) => path.replied).length,
    places: state === 'ended' ? [] : [...seen],
  }
}

async function saveVisits(work: Work, rows: readonly VisitsRow[]): Promise<void> {
  await sql`
    insert into run_visits
    select * from json_populate_recordset(null::run_visits, ${JSON.stringify(rows)}::json)
    on conflict (run_id) do update set status = excluded.status, flow = excluded.flow,
      group_id = excluded.group_id, block_id = excluded.block_id, last_at = excluded.last_at, replies = excluded.replies,
      places = excluded.places`.execute(work)
}

async function saveReached(work: Work, rows: readonly ReachedRow[]): Promise<void> {
  await sql`
    insert into run_places
    select * from json_populate_recordset(null::run_places, ${JSON.stringify(rows)}::json)
    on conflict do nothing`.execute(work)
}

async function addPlaces(work: Work, rows: readonly PlaceRow[]): Promise<void> {
  await sql`
    insert into place_visits
    select * from json_populate_recordset(null::place_visits, ${JSON.stringify(rows)}::json)
    on conflict (flow_version_id, flow, day, environment, channel, kind, place) do update set
      conversations = place_visits.conversations + excluded.conversations,
      visits = place_visits.visits + excluded.visits`.execute(work)
}
