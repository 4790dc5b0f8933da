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
import { readPages, readSources } from '../days/readNames'
import { readSpans, type Spans } from '../days/spans'
import { periodBefore } from './period'
import { readFigures } from './readFigures'
import { readFunnel } from './readFunnel'
import { readQuestions } from './readQuestions'
import { readTimes } from './readTimes'
import { type Scope, sumsIn } from './scope'

/**
 * The figures of a period, as last counted (`countFacts`). What does not depend on each other is asked at the same
 * time, on five connections at most.
 * @param full whether the plan has more than basic analytics
 */
export async function readAnalytics(
  db: ProjectDb,
  scope: Scope,
  { full, now: present }: { full: boolean; now: Date },
): Promise<Omit<Analytics, 'credit_price'>> {
  const before = { ...scope, period: periodBefore(scope.period) }
  const [spans, spansBefore] = [await readSpans(db, scope), await readSpans(db, before)]
  const [[now, then], { heat, ...times }, lists] = await Promise.all([
    readBoth(db, [scope, spans], [before, spansBefore]),
    readTimes(db, scope, before),
    full ? readLists(db, scope, spans, present) : null,
  ])
  const detail = lists && { now, before: then, heat, ...lists }
  return { ...times, now: basicOf(now), before: basicOf(then), detail }
}

const basicOf = ({ conversations, messages, visitors }: Figures): BasicFigures => ({
  conversations,
  messages,
  visitors,
})

const readBoth = async (db: ProjectDb, now: [Scope, Spans], before: [Scope, Spans]) =>
  [await readFigures(db, ...now), await readFigures(db, ...before)] as const

async function readLists(
  db: ProjectDb,
  scope: Scope,
  spans: Spans,
  now: Date,
): Promise<Omit<AnalyticsDetail, 'now' | 'before' | 'heat'>> {
  const [questions, agents, places] = await Promise.all([
    readQuestions(db, scope, spans),
    readAgents(db, scope, spans),
    readPlaces(db, scope, spans, now),
  ])
  return { ...questions, agents, ...places }
}

async function readPlaces(db: ProjectDb, scope: Scope, spans: Spans, now: Date) {
  return {
    ...(await readShares(db, scope, spans)),
    pages: (await readPages(db, scope, spans)).map(({ name, times }) => ({ name, conversations: times })),
    sources: (await readSources(db, scope, spans)).map(({ name, times }) => ({ title: name, questions: times })),
    chatbots: scope.chatbotId === null ? await readChatbots(db, scope, spans) : [],
    ...(scope.chatbotId === null
      ? { funnel: [], blocks: [], drop_off: [] }
      : await readFunnel(db, { ...scope, chatbotId: scope.chatbotId }, now)),
  }
}

type Share = AnalyticsDetail['languages'][number]

/** In one pass over the rows, which are grouped three times. */
async function readShares(
  db: ProjectDb,
  scope: Scope,
  spans: Spans,
): Promise<Pick<AnalyticsDetail, 'languages' | 'channels' | 'environments'>> {
  const { rows } = await sql<{ by: number; name: string; conversations: string }>`
    select grouping(language, channel, environment) as by, coalesce(language, channel, environment) as name,
      sum(conversations) as conversations
    from ${sumsIn(scope, spans, ['conversations'], ['language', 'channel', 'environment'])}
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

async function readChatbots(db: ProjectDb, scope: Scope, spans: Spans): Promise<AnalyticsDetail['chatbots']> {
  const { rows } = await sql<{ gid: string; name: string; conversations: string }>`
    select bots.gid, bots.name, counted.conversations
    from (select chatbot_id, project_id, sum(conversations) as conversations
        from ${sumsIn(scope, spans, ['conversations'])} group by 1, 2) as counted
      join chatbots as bots on bots.id = counted.chatbot_id and bots.project_id = counted.project_id
    where bots.deleting_since is null
    order by 3 desc, bots.id limit ${TOP}`.execute(db)
  return rows.map(({ conversations, ...bot }) => ({ ...bot, conversations: Number(conversations) }))
}
