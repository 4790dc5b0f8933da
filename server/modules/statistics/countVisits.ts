import { sql } from 'kysely'
import type { ServerContext } from '../../platform/context'
import type { Work } from '../../platform/database/database'
import type { TurnPath } from './turnPath'

/** Any number works, as long as nothing else in Parley locks it. */
const COUNTING_LOCK = 7_027_702
/** Conversations that are counted in one transaction, and how many such follow each other at most: the rest is the next call's. */
const AT_ONCE = 500
const ROUNDS = 200

interface ChatbotRef {
  projectId: string
  chatbotId: string
}

/**
 * Counts what the turns since the last time add: how far each conversation came, how often each place was seen. Of one chatbot where
 * it is named, else of all. Does nothing while another process counts, and leaves out conversations that are in a turn right now.
 */
export async function countVisits({ db }: Pick<ServerContext, 'db'>, chatbot: ChatbotRef | null = null): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) {
    const counted = await db.transaction().execute((work) => countSome(work, chatbot))
    if (counted < AT_ONCE) return
  }
}

/** @returns how many conversations were counted */
async function countSome(work: Work, chatbot: ChatbotRef | null): Promise<number> {
  const lock = await sql<{ held: boolean }>`select pg_try_advisory_xact_lock(${COUNTING_LOCK}) as held`.execute(work)
  if (!lock.rows[0]?.held) return 0
  const ids = await pendingConversations(work, chatbot)
  if (ids.length === 0) return 0
  const conversations = await lockConversations(work, ids)
  const paths = await takePaths(
    work,
    conversations.map(({ id }) => id),
  )
  const rows: VisitsRow[] = []
  const tally = new Map<string, PlaceRow>()
  for (const conversation of conversations) {
    const row = follow(conversation, paths.get(conversation.id) ?? [], tally)
    if (row) rows.push(row)
  }
  await saveVisits(work, rows)
  await addPlaces(work, [...tally.values()])
  return conversations.length
}

async function pendingConversations(work: Work, chatbot: ChatbotRef | null): Promise<string[]> {
  const rows = await work
    .selectFrom('turn_paths')
    .select('conversation_id')
    .distinct()
    .$if(chatbot !== null, (paths) =>
      paths.where('project_id', '=', chatbot?.projectId ?? '').where('chatbot_id', '=', chatbot?.chatbotId ?? ''),
    )
    .orderBy('conversation_id')
    .limit(AT_ONCE)
    .execute()
  return rows.map(({ conversation_id }) => conversation_id)
}

/**
 * The conversations with what was counted of them so far. They are locked before anything that points at them, as whoever deletes one
 * does: else the two could wait for each other.
 */
function lockConversations(work: Work, ids: readonly string[]) {
  return work
    .selectFrom('conversations')
    .leftJoin('conversation_visits', (join) =>
      join
        .onRef('conversation_visits.conversation_id', '=', 'conversations.id')
        .onRef('conversation_visits.project_id', '=', 'conversations.project_id'),
    )
    .select(['conversations.id', 'conversations.project_id', 'conversations.chatbot_id'])
    .select(['conversations.flow_version_id', 'conversations.environment', 'conversations.state'])
    .select(['conversation_visits.replies', 'conversation_visits.places'])
    .select(sql<string>`to_char(conversations.created_at at time zone 'utc', 'YYYY-MM-DD')`.as('day'))
    .where('conversations.id', '=', sql<string>`any(${ids}::bigint[])`)
    .orderBy('conversations.id')
    .forKeyShare('conversations')
    .skipLocked()
    .execute()
}
type Counted = Awaited<ReturnType<typeof lockConversations>>[number]

interface TakenPath {
  path: TurnPath
  at: Date
}

/** Takes out what is pending of them, in order; and what is left of conversations that were deleted. */
async function takePaths(work: Work, ids: readonly string[]): Promise<Map<string, TakenPath[]>> {
  const taken = await work
    .deleteFrom('turn_paths')
    .where((at) =>
      at.or([
        at('conversation_id', '=', sql<string>`any(${ids}::bigint[])`),
        at.not(
          at.exists(
            at
              .selectFrom('conversations')
              .select('conversations.id')
              .whereRef('conversations.id', '=', 'turn_paths.conversation_id'),
          ),
        ),
      ]),
    )
    .returning(['conversation_id', 'turn', 'path', 'at'])
    .execute()
  const byConversation = new Map<string, TakenPath[]>()
  for (const { conversation_id, ...rest } of taken.toSorted((a, b) => a.turn - b.turn)) {
    const of = byConversation.get(conversation_id)
    if (of) of.push(rest)
    else byConversation.set(conversation_id, [rest])
  }
  return byConversation
}

interface VisitsRow {
  conversation_id: string
  project_id: string
  chatbot_id: string
  flow_version_id: string
  environment: string
  day: string
  status: TurnPath['status']
  flow: string | null
  group_id: string | null
  block_id: string | null
  last_at: Date
  replies: number
  places: string[]
}
type PlaceRow = Pick<VisitsRow, 'project_id' | 'chatbot_id' | 'flow_version_id' | 'environment' | 'day'> & {
  flow: string
  kind: 'group' | 'edge'
  place: string
  conversations: number
  visits: number
}

/** Adds a conversation's new turns to the tally. @returns where it stands now; null without new turns */
function follow(conversation: Counted, paths: readonly TakenPath[], tally: Map<string, PlaceRow>): VisitsRow | null {
  const last = paths.at(-1)
  if (!last) return null
  const { id, state, replies, places, ...where } = conversation
  const seen = new Set(places)
  const see = (kind: PlaceRow['kind'], flow: string, place: string) => {
    const key = `${kind} ${flow}/${place}`
    const tallyKey = `${where.flow_version_id} ${where.environment} ${where.day} ${key}`
    const row = tally.get(tallyKey) ?? { ...where, flow, kind, place, conversations: 0, visits: 0 }
    row.visits += 1
    if (!seen.has(key)) row.conversations += 1
    seen.add(key)
    tally.set(tallyKey, row)
  }
  for (const { path } of paths) {
    for (const [flow, groupId] of path.entered) see('group', flow, groupId)
    for (const [flow, edgeId] of path.taken) see('edge', flow, edgeId)
  }
  const { status, at } = last.path
  return {
    ...where,
    conversation_id: id,
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
    insert into conversation_visits
    select * from json_populate_recordset(null::conversation_visits, ${JSON.stringify(rows)}::json)
    on conflict (conversation_id) do update set status = excluded.status, flow = excluded.flow,
      group_id = excluded.group_id, block_id = excluded.block_id, last_at = excluded.last_at, replies = excluded.replies,
      places = excluded.places`.execute(work)
}

async function addPlaces(work: Work, rows: readonly PlaceRow[]): Promise<void> {
  await sql`
    insert into place_visits
    select * from json_populate_recordset(null::place_visits, ${JSON.stringify(rows)}::json)
    on conflict (flow_version_id, flow, day, environment, kind, place) do update set
      conversations = place_visits.conversations + excluded.conversations,
      visits = place_visits.visits + excluded.visits`.execute(work)
}
