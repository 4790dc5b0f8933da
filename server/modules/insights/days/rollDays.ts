import { sql } from 'kysely'
import type { ServerContext } from '../../../platform/context'
import type { Work } from '../../../platform/database/database'
import { filters } from './passes'

/** Any number that nothing else in Parley locks. */
const ROLLING_LOCK = 7_027_704
/** The most days per call: the rest is left to the next call. */
const AT_ONCE = 200

interface Day {
  project_id: string
  day: string
}

/**
 * Rolls up the days that have ended and changed since they last were: visitors, pages, sources and credits are counted
 * anew from facts, questions and uses of credits. A day that changes meanwhile stays among the changes, so that it is
 * read from its rows.
 */
export async function rollDays({ db, clock }: Pick<ServerContext, 'db' | 'clock'>): Promise<void> {
  for (let round = 0; round < AT_ONCE; round++) {
    const { rows } = await sql<Day>`
      select project_id, day::text as day from insight_changes
      where day < date_bin('1 day', ${clock()}::timestamptz, 'epoch') order by day desc limit 1`.execute(db)
    const [day] = rows
    if (!day) return
    await db.transaction().execute((work) => rollDay(work, day))
  }
}

async function rollDay(work: Work, { project_id: projectId, day }: Day): Promise<void> {
  // of two that roll up the same day the second finds nothing to do
  await sql`select pg_advisory_xact_lock(${ROLLING_LOCK})`.execute(work)
  const isDay = sql`project_id = ${projectId} and day = ${day}::timestamptz`
  // what commits from here on adds the day to the changes again
  const { numAffectedRows } = await sql`delete from insight_changes where ${isDay}`.execute(work)
  if (!numAffectedRows) return
  for (const table of ['insight_visitors', 'insight_names', 'insight_credits', 'insight_rolled'])
    await sql`delete from ${sql.table(table)} where ${isDay}`.execute(work)
  await rollVisitors(work, projectId, day)
  await rollNames(work, projectId, day)
  await rollCredits(work, projectId, day)
  await sql`insert into insight_rolled select id, ${day}::timestamptz from projects where id = ${projectId}`.execute(
    work,
  )
}

const began = (alias: string, projectId: string, day: string) => sql`${sql.ref(`${alias}.project_id`)} = ${projectId}
  and ${sql.ref(`${alias}.started_at`)} >= ${day}::timestamptz
  and ${sql.ref(`${alias}.started_at`)} < ${day}::timestamptz + interval '24 hours'`

async function rollVisitors(work: Work, projectId: string, day: string): Promise<void> {
  await sql`
    insert into insight_visitors (project_id, chatbot_id, environment, channel, day, last_day, conversations)
    select facts.project_id, facts.chatbot_id, filter.environment, filter.channel, ${day}::timestamptz,
      coalesce(date_bin('1 day', last.started_at, 'epoch'), '-infinity'), count(*)
    from conversation_facts as facts
      cross join lateral ${filters('facts')}
      left join lateral (
        select before.started_at from conversation_facts as before
        where before.chatbot_id = facts.chatbot_id and before.visitor = facts.visitor and before.project_id = facts.project_id
          and (before.started_at, before.conversation_id) < (facts.started_at, facts.conversation_id)
          and (filter.environment = '' or before.environment = filter.environment)
          and (filter.channel = '' or before.channel = filter.channel)
        order by before.started_at desc, before.conversation_id desc limit 1) as last on true
    where ${began('facts', projectId, day)}
    group by 1, 2, 3, 4, 6`.execute(work)
}

async function rollNames(work: Work, projectId: string, day: string): Promise<void> {
  await sql`
    insert into insight_names (project_id, chatbot_id, environment, channel, list, day, name, times)
    select project_id, chatbot_id, filter.environment, filter.channel, list, ${day}::timestamptz, name, count(*)
    from (
      select project_id, chatbot_id, environment, channel, 'page' as list, page as name
      from conversation_facts as facts where ${began('facts', projectId, day)} and page <> ''
      union all
      select project_id, chatbot_id, environment, channel, 'source', unnest(sources)
      from asked_questions as asked where ${began('asked', projectId, day)}
    ) as named cross join lateral ${filters('named')}
    group by 1, 2, 3, 4, 5, 7`.execute(work)
}

async function rollCredits(work: Work, projectId: string, day: string): Promise<void> {
  await sql`
    insert into insight_credits (project_id, chatbot_id, day, amount)
    select project_id, coalesce(chatbot_id, 0), ${day}::timestamptz, sum(amount)
    from credit_uses
    where project_id = ${projectId} and credit = 'ai_message_credits'
      and used_at >= ${day}::timestamptz and used_at < ${day}::timestamptz + interval '24 hours'
    group by 1, 2`.execute(work)
}
