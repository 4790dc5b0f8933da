import { sql } from 'kysely'
import type { Json } from '../../../engine/values/json'
import type { Retention } from '../../contracts/privacy'
import type { ServerContext } from '../../platform/context'
import type { ProjectDb, Work } from '../../platform/database/database'
import { redactJson } from './redact'

/** Conversations per transaction. */
const AT_ONCE = 50
/** Transactions for one project in one run: the rest is left to the next run. */
const ROUNDS = 200

const visitors = sql`environment in ('production', 'sharing')`

/** The condition that a conversation is to be deleted. */
const isOver = ({ delete_after_days: days }: Retention, now: Date) =>
  days === null ? sql<boolean>`false` : sql<boolean>`${visitors} and updated_at < ${before(now, days)}`
/** The condition that it is to be blacked out. */
const isToRedact = ({ redact_after_days: days, redact }: Retention, now: Date) =>
  days === null || redact.length === 0
    ? sql<boolean>`false`
    : sql<boolean>`${visitors} and status = 'closed' and redacted_at is null and updated_at < ${before(now, days)}`

const before = (now: Date, days: number) => new Date(now.getTime() - days * 86_400_000)

/** How many conversations the rules concern now. */
export async function countConcerned(db: ProjectDb, projectId: string, rules: Retention, now: Date) {
  const { rows } = await sql<{ deleted: string; redacted: string }>`
    select count(*) filter (where ${isOver(rules, now)}) as deleted,
      count(*) filter (where ${isToRedact(rules, now)} and not (${isOver(rules, now)})) as redacted
    from conversations where project_id = ${projectId}`.execute(db)
  return { deleted: Number(rows[0]?.deleted ?? 0), redacted: Number(rows[0]?.redacted ?? 0) }
}

/** Applies the rules of all projects, once a day to each, and notes what they did. */
export async function applyRetention({ db, clock }: Pick<ServerContext, 'db' | 'clock'>): Promise<void> {
  const today = clock().toISOString().slice(0, 10)
  const { rows } = await sql<Retention & { project_id: string }>`
    select rules.project_id, delete_after_days, redact_after_days, redact from retention_rules rules
    where not exists (select from retention_runs runs where runs.project_id = rules.project_id and runs.day = ${today}::date)
      and (delete_after_days is not null or redact_after_days is not null)`.execute(db)
  for (const { project_id, ...rules } of rows) await applyTo(db.forProject(project_id), project_id, rules, clock())
}

async function applyTo(db: ProjectDb, projectId: string, rules: Retention, now: Date): Promise<void> {
  const deleted = await inRounds(() => deleteSome(db, projectId, rules, now))
  const redacted = await inRounds(() => db.transaction().execute((work) => redactSome(work, projectId, rules, now)))
  await sql`insert into retention_runs (project_id, day, deleted, redacted, at)
    values (${projectId}, ${now.toISOString().slice(0, 10)}::date, ${deleted}, ${redacted}, ${now})
    on conflict (project_id, day) do update set deleted = retention_runs.deleted + excluded.deleted,
      redacted = retention_runs.redacted + excluded.redacted`.execute(db)
}

async function inRounds(some: () => Promise<number>): Promise<number> {
  let sum = 0
  for (let round = 0; round < ROUNDS; round++) {
    const done = await some()
    sum += done
    if (done < AT_ONCE) break
  }
  return sum
}

/** What belongs to a conversation goes with it by its references; the figures stay. */
async function deleteSome(db: ProjectDb, projectId: string, rules: Retention, now: Date): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from conversations where project_id = ${projectId} and id in (
      select id from conversations where project_id = ${projectId} and ${isOver(rules, now)}
      order by id limit ${AT_ONCE} for update skip locked)`.execute(db)
  return Number(numAffectedRows ?? 0n)
}

interface Texts {
  key: string
  value: Json
}

/** Blacks out what was said, answered and recorded in closed conversations. */
async function redactSome(work: Work, projectId: string, rules: Retention, now: Date): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    select id from conversations where project_id = ${projectId} and ${isToRedact(rules, now)}
    order by id limit ${AT_ONCE} for update skip locked`.execute(work)
  const ids = sql`any(${rows.map(({ id }) => id)}::bigint[])`
  if (rows.length === 0) return 0
  const runs = sql`run_id in (select id from runs where conversation_id = ${ids} and project_id = ${projectId})`
  const places = [
    { table: 'messages', column: 'content', where: sql`conversation_id = ${ids}` },
    { table: 'flow_results', column: 'answers', where: sql`conversation_id = ${ids}` },
    { table: 'runs', column: 'session', where: sql`conversation_id = ${ids}` },
    { table: 'turn_records', column: 'trace', where: runs },
    { table: 'turn_records', column: 'variables', where: runs },
    { table: 'effects', column: 'request', where: runs },
    { table: 'effects', column: 'result', where: runs },
  ]
  for (const { table, column, where } of places) {
    const stored = await sql<Texts>`
      select ctid::text as key, ${sql.ref(column)} as value from ${sql.table(table)}
      where project_id = ${projectId} and ${where} and ${sql.ref(column)} is not null`.execute(work)
    for (const { key, value } of stored.rows) {
      const redacted = JSON.stringify(redactJson(value, rules.redact))
      if (redacted === JSON.stringify(value)) continue
      await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${redacted}::json
        where ctid = ${key}::tid and project_id = ${projectId}`.execute(work)
    }
  }
  for (const { table, column } of [
    { table: 'messages', column: 'words' },
    { table: 'message_translations', column: 'text' },
    { table: 'asked_questions', column: 'question' },
    { table: 'survey_answers', column: 'feedback' },
  ]) {
    const stored = await sql<{ key: string; value: string }>`
      select ctid::text as key, ${sql.ref(column)} as value from ${sql.table(table)}
      where project_id = ${projectId} and conversation_id = ${ids} and ${sql.ref(column)} is not null`.execute(work)
    for (const { key, value } of stored.rows)
      await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${String(redactJson(value, rules.redact))}
        where ctid = ${key}::tid and project_id = ${projectId}`.execute(work)
  }
  await sql`update conversations set redacted_at = ${now} where id = ${ids} and project_id = ${projectId}`.execute(work)
  return rows.length
}
