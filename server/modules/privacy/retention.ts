import { type RawBuilder, sql } from 'kysely'
import type { Retention } from '../../contracts/privacy'
import type { ServerContext } from '../../platform/context'
import type { ProjectDb, Work } from '../../platform/database/database'
import { runTask } from '../../platform/workers/runTask'
import { deleteConversations } from './deleteConversations'
import { BLACKED_OUT, type Stored } from './redact'
import { redactTexts } from './tasks'

/** Conversations per transaction. */
const AT_ONCE = 20
/** Transactions for one project in one run: the rest is left to the next run. */
const ROUNDS = 500

/** The rules of a project, and since when all of their kinds are blacked out. */
export type Rules = Retention & { widened_at: Date | null }

/** Rules that take the place of those that there are: what is blacked out already lacks the kinds that come to them. */
export const widened = (rules: Retention, before: Rules | undefined, now: Date): Rules => ({
  ...rules,
  widened_at: rules.redact.every((kind) => before?.redact.includes(kind)) ? (before?.widened_at ?? null) : now,
})

const visitors = sql`environment in ('production', 'sharing')`

/** The condition that a conversation is to be deleted. */
const isOver = ({ delete_after_days: days }: Retention, now: Date) =>
  days === null ? sql<boolean>`false` : sql<boolean>`${visitors} and updated_at < ${before(now, days)}`
/** The condition that it is to be blacked out: not since the last was said in it, or not of all kinds. */
const isToRedact = ({ redact_after_days: days, redact, widened_at }: Rules, now: Date) =>
  days === null || redact.length === 0
    ? sql<boolean>`false`
    : sql<boolean>`${visitors} and status = 'closed' and updated_at < ${before(now, days)}
        and (redacted_at is null or redacted_at <= greatest(updated_at, ${widened_at}::timestamptz))`

const before = (now: Date, days: number) => new Date(now.getTime() - days * 86_400_000)

/** How many conversations the rules concern now. */
export async function countConcerned(db: ProjectDb, projectId: string, rules: Rules, now: Date) {
  const { rows } = await sql<{ deleted: string; redacted: string }>`
    select count(*) filter (where ${isOver(rules, now)}) as deleted,
      count(*) filter (where ${isToRedact(rules, now)} and not (${isOver(rules, now)})) as redacted
    from conversations where project_id = ${projectId}`.execute(db)
  return { deleted: Number(rows[0]?.deleted ?? 0), redacted: Number(rows[0]?.redacted ?? 0) }
}

/** Applies the rules of all projects, once a day to each, and notes what they did. */
export async function applyRetention({ db, clock }: Pick<ServerContext, 'db' | 'clock'>): Promise<void> {
  const today = clock().toISOString().slice(0, 10)
  const { rows } = await sql<Rules & { project_id: string }>`
    select rules.project_id, delete_after_days, redact_after_days, redact, widened_at from retention_rules rules
    where not exists (select from retention_runs runs where runs.project_id = rules.project_id and runs.day = ${today}::date)
      and (delete_after_days is not null or redact_after_days is not null)`.execute(db)
  for (const { project_id, ...rules } of rows) await applyTo(db.forProject(project_id), project_id, rules, clock())
}

async function applyTo(db: ProjectDb, projectId: string, rules: Rules, now: Date): Promise<void> {
  const deleted = await inRounds(() => deleteConversations(db, projectId, isOver(rules, now), AT_ONCE))
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

interface Place {
  table: string
  column: string
  kind: Stored['kind']
  where: RawBuilder<unknown>
}
/** Characters that are given to a thread at once; a value that is longer is given alone. */
const CHARACTERS = 1_000_000

/** Blacks out a column's values: they are parsed in a thread, and come as text, which the driver leaves as it is. */
async function redactPlace(work: Work, projectId: string, { redact }: Retention, place: Place): Promise<void> {
  const { table, column, kind, where } = place
  const type = sql.raw(kind)
  const { rows } = await sql<{ key: string; value: string }>`
    select ctid::text as key, ${sql.ref(column)}::text as value from ${sql.table(table)}
    where project_id = ${projectId} and ${where} and ${sql.ref(column)} is not null`.execute(work)
  for (const batch of batchesOf(rows)) {
    const texts = batch.map(({ value }) => value)
    const redacted = await runTask(redactTexts, { kind, texts, which: redact }, { owner: projectId })
    for (const [at, { key }] of batch.entries()) {
      const value = redacted[at] ?? null
      if (value === null) continue
      await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${value}::${type}
        where ctid = ${key}::tid and project_id = ${projectId}`.execute(work)
    }
  }
}

/** Rows by turns, as many as have so many characters. */
export function* batchesOf<Row extends { value: string }>(rows: readonly Row[], most = CHARACTERS): Generator<Row[]> {
  let batch: Row[] = []
  let characters = 0
  for (const row of rows) {
    if (batch.length > 0 && characters + row.value.length > most) {
      yield batch
      batch = []
      characters = 0
    }
    batch.push(row)
    characters += row.value.length
  }
  if (batch.length > 0) yield batch
}

/** Blacks out what was said, answered and recorded in closed conversations. */
async function redactSome(work: Work, projectId: string, rules: Rules, now: Date): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    select id from conversations where project_id = ${projectId} and ${isToRedact(rules, now)}
    order by id limit ${AT_ONCE} for update skip locked`.execute(work)
  const ids = sql`any(${rows.map(({ id }) => id)}::bigint[])`
  if (rows.length === 0) return 0
  const runs = sql`run_id in (select id from runs where conversation_id = ${ids} and project_id = ${projectId})`
  const ofConversation = sql`conversation_id = ${ids}`
  // what is still to be sent goes as it is
  const ofMails = sql`${ofConversation} and status <> 'sending'`
  const places: Place[] = [
    { table: 'messages', column: 'content', kind: 'json', where: ofConversation },
    { table: 'flow_results', column: 'answers', kind: 'json', where: ofConversation },
    { table: 'runs', column: 'session', kind: 'json', where: ofConversation },
    { table: 'turn_records', column: 'trace', kind: 'json', where: runs },
    { table: 'turn_records', column: 'variables', kind: 'json', where: runs },
    { table: 'turn_records', column: 'offered', kind: 'json', where: runs },
    { table: 'effects', column: 'request', kind: 'json', where: runs },
    { table: 'effects', column: 'result', kind: 'json', where: runs },
    { table: 'messages', column: 'words', kind: 'text', where: ofConversation },
    { table: 'message_translations', column: 'text', kind: 'text', where: ofConversation },
    { table: 'asked_questions', column: 'question', kind: 'text', where: ofConversation },
    { table: 'asked_questions', column: 'said', kind: 'text', where: ofConversation },
    { table: 'survey_answers', column: 'feedback', kind: 'text', where: ofConversation },
    { table: 'conversation_notes', column: 'body', kind: 'text', where: ofConversation },
    { table: 'hand_offs', column: 'note', kind: 'text', where: ofConversation },
    { table: 'page_visits', column: 'page', kind: 'text', where: ofConversation },
    { table: 'mails', column: 'addresses', kind: 'json', where: ofMails },
    { table: 'mails', column: 'reason', kind: 'text', where: ofMails },
    { table: 'mails', column: 'subject', kind: 'text', where: ofMails },
    { table: 'mails', column: 'html', kind: 'text', where: ofMails },
    { table: 'mails', column: 'body', kind: 'text', where: ofMails },
    { table: 'inbound_mails', column: 'sender', kind: 'text', where: ofConversation },
    { table: 'inbound_mails', column: 'subject', kind: 'text', where: ofConversation },
    {
      table: 'webhook_messages',
      column: 'body',
      kind: 'text',
      where: sql`${ofConversation} and status <> 'pending'`,
    },
  ]
  for (const place of places) await redactPlace(work, projectId, rules, place)
  if (rules.redact.includes('email')) {
    // addresses as such: what is known of each recipient is kept by them
    await sql`update hand_offs set email = null
      where ${ofConversation} and project_id = ${projectId} and email is not null`.execute(work)
    await sql`update mails set deliveries = '{}' where ${ofMails} and project_id = ${projectId}`.execute(work)
  }
  // a wording has lost the signs by which an address or a number is known: it goes with what its question said
  await sql`update asked_questions set wording = ''
    where ${ofConversation} and project_id = ${projectId} and strpos(question, ${BLACKED_OUT}) > 0`.execute(work)
  await sql`update conversations set redacted_at = ${now} where id = ${ids} and project_id = ${projectId}`.execute(work)
  return rows.length
}
