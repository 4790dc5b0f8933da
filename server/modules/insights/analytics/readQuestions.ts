import { type RawBuilder, sql } from 'kysely'
import { type AnalyticsDetail, TOP } from '../../../contracts/analytics'
import type { ProjectDb } from '../../../platform/database/database'
import type { Spans } from '../days/spans'
import { inScope, type Scope, sumsIn } from './scope'

/** How the questions asked most are looked for. */
export interface Search {
  /** so many questions are grouped at once */
  few: number
  /** wordings that are counted first; then three times as many more */
  first: number
  /** more wordings take longer than grouping all questions */
  most: number
}
const SEARCH: Search = { few: 20_000, first: 16, most: 2_000 }

type List = 'asked' | 'unanswered'

/** How often a wording was asked in the period. */
interface Counted {
  wording_hash: string
  asked: number
  unanswered: number
  /** when the last conversation that has it began, in µs; and that which has it without an answer */
  asked_last: string
  unanswered_last: string
}

/**
 * The questions asked most, and those without an answer, of equally frequent ones the latest first. Wordings are
 * counted by numbers that stand for them; what the few that are shown say is read from the last conversation of each.
 */
export async function readQuestions(
  db: ProjectDb,
  scope: Scope,
  spans: Spans,
  search = SEARCH,
): Promise<Pick<AnalyticsDetail, 'top_questions' | 'unanswered'>> {
  const { rows } = await sql<{ questions: string }>`
    select coalesce(sum(questions), 0) as questions from ${sumsIn(scope, spans, ['questions'])}`.execute(db)
  const isFew = Number(rows[0]?.questions ?? 0) <= search.few
  const known = new Map<string, Counted>()
  const top = async (list: List) =>
    (isFew ? null : await findMost(db, scope, list, known, search)) ?? (await groupAll(db, scope, list))
  const lists = { asked: await top('asked'), unanswered: await top('unanswered') }
  const said = await readWordings(db, scope, [...lists.asked, ...lists.unanswered])
  const shown = (counted: readonly Counted[]) =>
    counted.flatMap(({ wording_hash, asked, unanswered }) => {
      const words = said.get(wording_hash)
      return words ? [{ ...words, asked, answered: asked - unanswered }] : []
    })
  return { top_questions: shown(lists.asked), unanswered: shown(lists.unanswered) }
}

const counts = sql`count(*)::int as asked, count(*) filter (where not answered)::int as unanswered,
  coalesce((extract(epoch from max(started_at)) * 1000000)::bigint, 0) as asked_last,
  coalesce((extract(epoch from max(started_at) filter (where not answered)) * 1000000)::bigint, 0) as unanswered_last`
const inPeriod = (scope: Scope) => sql`${inScope(scope, 'asked_questions')}`

async function groupAll(db: ProjectDb, scope: Scope, list: List): Promise<Counted[]> {
  const { rows } = await sql<Counted>`
    select * from (
      select wording_hash, ${counts} from asked_questions
      where ${inPeriod(scope)} and wording_hash <> hashtextextended('', 0) group by 1) as counted
    where ${sql.ref(list)} > 0
    order by ${sql.ref(list)} desc, ${sql.ref(`${list}_last`)} desc, wording_hash limit ${TOP}`.execute(db)
  return rows
}

/**
 * Counts the wordings that were asked most at any time, until no other can have been asked as often in the period.
 * @param known what has been counted already: it grows
 * @returns null where that takes too many
 */
async function findMost(
  db: ProjectDb,
  scope: Scope,
  list: List,
  known: Map<string, Counted>,
  { first, most }: Search,
): Promise<Counted[] | null> {
  const candidates = new Map<string, Counted>()
  for (let size = first; size > 0; size = Math.min(candidates.size * 2, most - candidates.size)) {
    const bounds = await readBounds(db, scope, list, candidates.size, size)
    const missing = bounds.filter(({ wording_hash }) => !known.has(wording_hash))
    for (const counted of await countThese(db, scope, hashesOf(missing))) known.set(counted.wording_hash, counted)
    for (const { wording_hash } of bounds) {
      const counted = known.get(wording_hash)
      if (counted) candidates.set(wording_hash, counted)
    }
    const found = topOf(candidates.values(), list)
    const least = found[TOP - 1]?.[list] ?? 0
    // the others were asked once at any time, or once without an answer
    const isLast = bounds.length < size
    const mostOfOthers = isLast ? 1 : (bounds.at(-1)?.most ?? 1)
    // of those that are as frequent the latest come first
    if (least > mostOfOthers) return found
    if (isLast) {
      const others = await readLatest(db, scope, list, [...candidates.keys()])
      return topOf([...found, ...(await countThese(db, scope, others))], list)
    }
  }
  return null
}

const topOf = (all: Iterable<Counted>, list: List): Counted[] =>
  [...all]
    .filter((one) => one[list] > 0)
    .sort(
      (one, other) =>
        other[list] - one[list] ||
        Number(BigInt(other[`${list}_last`]) - BigInt(one[`${list}_last`])) ||
        (BigInt(one.wording_hash) < BigInt(other.wording_hash) ? -1 : 1),
    )
    .slice(0, TOP)

interface Bound {
  wording_hash: string
  /** how often it was asked at any time, of a chatbot or a project: in no period, environment or channel more often */
  most: number
}

async function readBounds(db: ProjectDb, scope: Scope, list: List, after: number, size: number): Promise<Bound[]> {
  const { rows } = await sql<Bound>`
    select wording_hash, ${sql.ref(list)} as most from asked_wordings
    where project_id = ${scope.projectId} and chatbot_id = ${scope.chatbotId ?? '0'} and ${sql.ref(list)} > 1
    order by ${sql.ref(list)} desc, wording_hash offset ${after} limit ${size}`.execute(db)
  return rows
}

async function countThese(db: ProjectDb, scope: Scope, hashes: readonly string[]): Promise<Counted[]> {
  if (hashes.length === 0) return []
  const { rows } = await sql<Counted>`
    select * from unnest(${hashes}::bigint[]) as wanted (wording_hash) cross join lateral (
      select ${counts} from asked_questions
      where asked_questions.wording_hash = wanted.wording_hash and ${inPeriod(scope)}) as counted`.execute(db)
  return rows
}

const hashesOf = (all: readonly { wording_hash: string }[]) => all.map(({ wording_hash }) => wording_hash)

/** The latest questions of the period with other wordings, none of which is in the list twice. */
async function readLatest(db: ProjectDb, scope: Scope, list: List, known: string[]): Promise<string[]> {
  const isListed: RawBuilder<unknown> = list === 'asked' ? sql`true` : sql`not answered`
  const { rows } = await sql<{ wording_hash: string }>`
    select wording_hash from asked_questions
    where ${inPeriod(scope)} and wording_hash <> hashtextextended('', 0) and ${isListed}
      and wording_hash <> all(${known}::bigint[])
    order by started_at desc, wording_hash limit ${TOP}`.execute(db)
  return hashesOf(rows)
}

/** What wordings say, as last asked, by their numbers. */
async function readWordings(db: ProjectDb, scope: Scope, all: readonly Counted[]) {
  const { rows } = await sql<{ wording_hash: string; wording: string; question: string }>`
    select shown.wording_hash, said.wording, said.question
    from unnest(${[...new Set(hashesOf(all))]}::bigint[]) as shown (wording_hash) cross join lateral (
      select wording, question from asked_questions
      where asked_questions.wording_hash = shown.wording_hash and ${inPeriod(scope)}
      order by started_at desc, conversation_id desc, position desc limit 1) as said`.execute(db)
  return new Map(rows.map(({ wording_hash, ...words }) => [wording_hash, words]))
}
