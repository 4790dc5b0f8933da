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
import { inScope, type Scope } from './scope'

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
    select ${sums} from insight_rows as rows where ${inScope(scope, 'rows')}`.execute(db)
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
      where ${inScope(scope, 'facts')} and ${isWithin(sql`started_at`, scope.period)} group by 1, 2) as each`.execute(
    db,
  )
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
      from insight_rows as rows where ${inScope(of, 'rows')} group by 1`.execute(db)
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
    languages: await readShares(db, scope, 'language'),
    channels: await readShares(db, scope, 'channel'),
    environments: await readShares(db, scope, 'environment'),
    pages: await readPages(db, scope),
    chatbots: scope.chatbotId === null ? await readChatbots(db, scope) : [],
    top_questions: await readQuestions(db, scope, 'all'),
    unanswered: await readQuestions(db, scope, 'unanswered'),
    sources: await readSources(db, scope),
    funnel: scope.chatbotId === null ? [] : await readFunnel(db, { ...scope, chatbotId: scope.chatbotId }),
    agents: await readAgents(db, scope),
  }
}

async function readHeat(db: ProjectDb, scope: Scope): Promise<AnalyticsDetail['heat']> {
  const { rows } = await sql<{ weekday: number; hour: number; conversations: string }>`
    select extract(isodow from quarter at time zone ${scope.period.zone})::int as weekday,
      extract(hour from quarter at time zone ${scope.period.zone})::int as hour, sum(conversations) as conversations
    from insight_rows as rows where ${inScope(scope, 'rows')}
    group by 1, 2 having sum(conversations) > 0 order by 1, 2`.execute(db)
  return rows.map(({ conversations, ...at }) => ({ ...at, conversations: Number(conversations) }))
}

type Share = AnalyticsDetail['languages'][number]

async function readShares(db: ProjectDb, scope: Scope, by: 'language' | 'channel' | 'environment'): Promise<Share[]> {
  const { rows } = await sql<{ name: string; conversations: string }>`
    select ${sql.ref(`rows.${by}`)} as name, sum(conversations) as conversations
    from insight_rows as rows where ${inScope(scope, 'rows')}
    group by 1 having sum(conversations) > 0 order by 2 desc, 1 limit ${TOP}`.execute(db)
  return rows.map(({ name, conversations }) => ({ name, conversations: Number(conversations) }))
}

async function readPages(db: ProjectDb, scope: Scope): Promise<Share[]> {
  const { rows } = await sql<{ name: string; conversations: string }>`
    select page as name, count(*) as conversations from conversation_facts as facts
    where ${inScope(scope, 'facts')} and ${isWithin(sql`started_at`, scope.period)} and page <> ''
    group by 1 order by 2 desc, 1 limit ${TOP}`.execute(db)
  return rows.map(({ name, conversations }) => ({ name, conversations: Number(conversations) }))
}

async function readChatbots(db: ProjectDb, scope: Scope): Promise<AnalyticsDetail['chatbots']> {
  const { rows } = await sql<{ gid: string; name: string; conversations: string }>`
    select bots.gid, bots.name, sum(rows.conversations) as conversations
    from insight_rows as rows join chatbots as bots on bots.id = rows.chatbot_id and bots.project_id = rows.project_id
    where ${inScope(scope, 'rows')} and bots.deleting_since is null
    group by bots.id, bots.gid, bots.name order by 3 desc, bots.id limit ${TOP}`.execute(db)
  return rows.map(({ conversations, ...bot }) => ({ ...bot, conversations: Number(conversations) }))
}

/** Questions of the conversations in scope. */
const askedIn = (scope: Scope) => sql`
  asked_questions as asked join conversation_facts as facts
    on facts.conversation_id = asked.conversation_id and facts.project_id = asked.project_id
  where ${inScope(scope, 'facts')} and ${isWithin(sql`facts.started_at`, scope.period)}`

async function readQuestions(
  db: ProjectDb,
  scope: Scope,
  which: 'all' | 'unanswered',
): Promise<AnalyticsDetail['top_questions']> {
  const { rows } = await sql<{ wording: string; question: string; asked: string; answered: string }>`
    select asked.wording, (array_agg(asked.question order by asked.asked_at desc, asked.conversation_id desc))[1] as question,
      count(*) as asked, count(*) filter (where asked.answered) as answered
    from ${askedIn(scope)} and asked.wording <> ''
    group by asked.wording
    having ${which === 'all' ? sql`true` : sql`count(*) filter (where not asked.answered) > 0`}
    order by ${which === 'all' ? sql`count(*)` : sql`count(*) filter (where not asked.answered)`} desc, asked.wording
    limit ${TOP}`.execute(db)
  return rows.map(({ asked, answered, ...row }) => ({ ...row, asked: Number(asked), answered: Number(answered) }))
}

async function readSources(db: ProjectDb, scope: Scope): Promise<AnalyticsDetail['sources']> {
  const { rows } = await sql<{ title: string; questions: string }>`
    select title, count(*) as questions from (
      select unnest(asked.sources) as title from ${askedIn(scope)}) as used
    group by title order by 2 desc, 1 limit ${TOP}`.execute(db)
  return rows.map(({ title, questions }) => ({ title, questions: Number(questions) }))
}
