import { sql } from 'kysely'
import {
  type Analytics,
  type AnalyticsDetail,
  type BasicFigures,
  type Figures,
  TOP,
} from '../../../contracts/analytics'
import type { ProjectDb } from '../../../platform/database/database'
import { readAgents } from '../agents/readAgents'
import { type Measure, measures } from '../facts/measures'
import { isWithin, periodBefore, pointsOf } from './period'
import { readFunnel } from './readFunnel'
import { inScope, type Scope, sumsIn } from './scope'

/**
 * The figures of a period, as last counted (`countFacts`).
 * @param full whether the plan has more than basic analytics
 */
export async function readAnalytics(db: ProjectDb, scope: Scope, full: boolean): Promise<Analytics> {
  const before = { ...scope, period: periodBefore(scope.period) }
  const [now, then, series] = [
    await readFigures(db, scope),
    await readFigures(db, before),
    await readSeries(db, scope, before),
  ]
  return {
    ...series,
    now: basicOf(now),
    before: basicOf(then),
    detail: full ? await readDetail(db, scope, now, then) : null,
  }
}

const basicOf = ({ conversations, messages, visitors }: Figures): BasicFigures => ({
  conversations,
  messages,
  visitors,
})

async function readFigures(db: ProjectDb, scope: Scope): Promise<Figures> {
  const sums = sql.raw(measures.map((name) => `coalesce(sum(${name}), 0)::bigint as ${name}`).join(', '))
  const { rows } = await sql<Record<Measure, string>>`
    select ${sums} from ${sumsIn(scope)}`.execute(db)
  const counted = Object.fromEntries(measures.map((name) => [name, Number(rows[0]?.[name] ?? 0)])) as Record<
    Measure,
    number
  >
  const { visitor_messages: _v, bot_messages: _b, person_messages: _p, ...figures } = counted
  return {
    ...figures,
    visitors: await countVisitors(db, scope),
    leads: await countLeads(db, scope),
    credits: await sumCredits(db, scope),
  }
}

/** Browsers that keep no id count once a conversation. */
async function countVisitors(db: ProjectDb, scope: Scope): Promise<number> {
  // grouped, which PostgreSQL can hash: it sorts all rows for count(distinct …)
  const { rows } = await sql<{ visitors: string }>`
    select coalesce(sum(case when visitor is null then conversations else 1 end), 0) as visitors from (
      select chatbot_id, visitor, count(*) as conversations from conversation_facts as facts
      where ${inScope(scope, 'facts', 'started_at')} group by 1, 2) as each`.execute(db)
  return Number(rows[0]?.visitors ?? 0)
}

async function countLeads(db: ProjectDb, { projectId, chatbotId, period, environment, channel }: Scope) {
  const { rows } = await sql<{ leads: string }>`
    select count(*) as leads from leads
    where leads.project_id = ${projectId} and not leads.deleted and ${isWithin(sql`leads.created_at`, period)}
      and ${chatbotId === null ? sql`true` : sql`leads.chatbot_id = ${chatbotId}`}
      and ${environment === undefined ? sql`true` : sql`leads.environment = ${environment}`}
      and ${
        channel === undefined
          ? sql`true`
          : sql`exists (select from conversations c where c.id = leads.conversation_id and c.project_id = leads.project_id
              and c.channel = ${channel})`
      }`.execute(db)
  return Number(rows[0]?.leads ?? 0)
}

async function sumCredits(db: ProjectDb, { projectId, chatbotId, period, environment, channel }: Scope) {
  if (environment !== undefined || channel !== undefined) return null
  const { rows } = await sql<{ credits: string }>`
    select coalesce(sum(amount), 0) as credits from credit_uses
    where project_id = ${projectId} and credit = 'ai_message_credits' and ${isWithin(sql`used_at`, period)}
      and ${chatbotId === null ? sql`true` : sql`chatbot_id = ${chatbotId}`}`.execute(db)
  return Number(rows[0]?.credits ?? 0)
}

interface PointRow {
  at: string
  conversations: string
  messages: string
  resolved: string
}

async function readSeries(db: ProjectDb, scope: Scope, before: Scope): Promise<Pick<Analytics, 'unit' | 'series'>> {
  const { unit, points } = pointsOf(scope.period)
  const format = unit === 'hour' ? 'YYYY-MM-DD"T"HH24' : 'YYYY-MM-DD'
  const read = async (of: Scope) => {
    const { rows } = await sql<PointRow>`
      select to_char(quarter at time zone ${of.period.zone}, ${format}) as at, sum(conversations) as conversations,
        sum(messages) as messages, sum(resolved_bot + resolved_person) as resolved
      from ${sumsIn(of)} group by 1`.execute(db)
    return new Map(rows.map((row) => [row.at, row]))
  }
  const [rows, earlier] = [await read(scope), await read(before)]
  const pointsBefore = pointsOf(before.period).points
  return {
    unit,
    series: points.map((at, index) => {
      const row = rows.get(at)
      return {
        at,
        conversations: Number(row?.conversations ?? 0),
        messages: Number(row?.messages ?? 0),
        resolved: Number(row?.resolved ?? 0),
        before: Number(earlier.get(pointsBefore[index] ?? '')?.conversations ?? 0),
      }
    }),
  }
}

async function readDetail(db: ProjectDb, scope: Scope, now: Figures, before: Figures): Promise<AnalyticsDetail> {
  return {
    now,
    before,
    heat: await readHeat(db, scope),
    ...(await readShares(db, scope)),
    pages: await readPages(db, scope),
    chatbots: scope.chatbotId === null ? await readChatbots(db, scope) : [],
    ...(await readQuestions(db, scope)),
    sources: await readSources(db, scope),
    funnel: scope.chatbotId === null ? [] : await readFunnel(db, { ...scope, chatbotId: scope.chatbotId }),
    agents: await readAgents(db, scope),
  }
}

async function readHeat(db: ProjectDb, scope: Scope): Promise<AnalyticsDetail['heat']> {
  const { rows } = await sql<{ weekday: number; hour: number; conversations: string }>`
    select extract(isodow from quarter at time zone ${scope.period.zone})::int as weekday,
      extract(hour from quarter at time zone ${scope.period.zone})::int as hour, sum(conversations) as conversations
    from ${sumsIn(scope)}
    group by 1, 2 having sum(conversations) > 0 order by 1, 2`.execute(db)
  return rows.map(({ conversations, ...at }) => ({ ...at, conversations: Number(conversations) }))
}

type Share = AnalyticsDetail['languages'][number]

/** In one pass over the rows, which are grouped three times. */
async function readShares(
  db: ProjectDb,
  scope: Scope,
): Promise<Pick<AnalyticsDetail, 'languages' | 'channels' | 'environments'>> {
  const { rows } = await sql<{ by: number; name: string; conversations: string }>`
    select grouping(language, channel, environment) as by, coalesce(language, channel, environment) as name,
      sum(conversations) as conversations
    from insight_rows as rows where ${inScope(scope, 'rows', 'quarter')}
    group by grouping sets ((language), (channel), (environment))
    having sum(conversations) > 0 order by 3 desc, 2`.execute(db)
  // a bit is set for each column that a row is not grouped by
  const shares = (by: number): Share[] =>
    rows
      .filter((row) => row.by === by)
      .slice(0, TOP)
      .map(({ name, conversations }) => ({ name, conversations: Number(conversations) }))
  return { languages: shares(0b011), channels: shares(0b101), environments: shares(0b110) }
}

async function readPages(db: ProjectDb, scope: Scope): Promise<Share[]> {
  const { rows } = await sql<{ name: string; conversations: string }>`
    select page as name, count(*) as conversations from conversation_facts as facts
    where ${inScope(scope, 'facts', 'started_at')} and page <> ''
    group by 1 order by 2 desc, 1 limit ${TOP}`.execute(db)
  return rows.map(({ name, conversations }) => ({ name, conversations: Number(conversations) }))
}

async function readChatbots(db: ProjectDb, scope: Scope): Promise<AnalyticsDetail['chatbots']> {
  const { rows } = await sql<{ gid: string; name: string; conversations: string }>`
    select bots.gid, bots.name, sum(rows.conversations) as conversations
    from (select chatbot_id, project_id, sum(conversations) as conversations from ${sumsIn(scope)} group by 1, 2) as rows
      join chatbots as bots on bots.id = rows.chatbot_id and bots.project_id = rows.project_id
    where bots.deleting_since is null
    group by bots.id, bots.gid, bots.name order by 3 desc, bots.id limit ${TOP}`.execute(db)
  return rows.map(({ conversations, ...bot }) => ({ ...bot, conversations: Number(conversations) }))
}

interface QuestionRow {
  list: 'asked' | 'unanswered'
  wording: string
  question: string
  asked: string
  answered: string
}

/** Grouped by numbers that stand for wordings; the few that are shown are read from the last conversation of each. */
async function readQuestions(
  db: ProjectDb,
  scope: Scope,
): Promise<Pick<AnalyticsDetail, 'top_questions' | 'unanswered'>> {
  const { rows } = await sql<QuestionRow>`
    with counted as materialized (
      select wording_hash, count(*) as asked, count(*) filter (where answered) as answered, max(conversation_id) as last
      from asked_questions as asked where ${inScope(scope, 'asked', 'started_at')} and wording_hash <> hashtextextended('', 0)
      group by wording_hash),
    shown as (
      (select 'asked' as list, counted.* from counted order by asked desc, wording_hash limit ${TOP})
      union all
      (select 'unanswered' as list, counted.* from counted where asked > answered
        order by asked - answered desc, wording_hash limit ${TOP}))
    select shown.list, said.wording, said.question, shown.asked, shown.answered
    from shown cross join lateral (
      select wording, question from asked_questions as said
      where said.conversation_id = shown.last and said.project_id = ${scope.projectId} and said.wording_hash = shown.wording_hash
      order by said.position desc limit 1) as said
    order by shown.list, case shown.list when 'asked' then shown.asked else shown.asked - shown.answered end desc,
      shown.wording_hash`.execute(db)
  const of = (list: QuestionRow['list']) =>
    rows
      .filter((row) => row.list === list)
      .map(({ wording, question, ...row }) => ({
        ...{ wording, question },
        ...{ asked: Number(row.asked), answered: Number(row.answered) },
      }))
  return { top_questions: of('asked'), unanswered: of('unanswered') }
}

async function readSources(db: ProjectDb, scope: Scope): Promise<AnalyticsDetail['sources']> {
  const { rows } = await sql<{ title: string; questions: string }>`
    select title, count(*) as questions from (
      select unnest(asked.sources) as title from asked_questions as asked
      where ${inScope(scope, 'asked', 'started_at')}) as used
    group by title order by 2 desc, 1 limit ${TOP}`.execute(db)
  return rows.map(({ title, questions }) => ({ title, questions: Number(questions) }))
}
