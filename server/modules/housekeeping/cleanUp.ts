import { type RawBuilder, sql } from 'kysely'
import type { Housekeeping } from '../../contracts/housekeeping'
import type { ServerContext } from '../../platform/context'
import type { ProjectDb } from '../../platform/database/database'
import { deleteConversations } from '../privacy/deleteConversations'

const DAY = 86_400_000
/** Conversations, and other rows, per statement: each holds its locks for a moment alone. */
const CONVERSATIONS = 20
const ROWS = 1_000
/** They may have a megabyte each. */
const VERSIONS = 50
/** Statements of one kind for one project in one run: the rest is left to the next day. */
const ROUNDS = 500

/** Applies the rules of all projects, once a day to each. */
export async function cleanUp({ db, clock }: Pick<ServerContext, 'db' | 'clock'>): Promise<void> {
  const now = clock()
  const today = now.toISOString().slice(0, 10)
  const { rows } = await sql<Housekeeping & { project_id: string }>`
    select project_id, tests_after_days, steps_after_days, mails_after_days, versions_kept from housekeeping_rules
    where ran_on is distinct from ${today}::date`.execute(db)
  for (const { project_id, ...rules } of rows) {
    await cleanProject(db.forProject(project_id), project_id, rules, now)
    // after it: what a process that ends here has left is taken up by the next look
    await sql`update housekeeping_rules set ran_on = ${today}::date where project_id = ${project_id}`.execute(db)
  }
}

/** Sessions, begun connections and changes of addresses that have expired: nobody can use them any more. */
export async function forgetExpired({ db, clock }: Pick<ServerContext, 'db' | 'clock'>): Promise<void> {
  for (const table of ['sessions', 'oauth_states', 'email_changes'] as const)
    await db.deleteFrom(table).where('expires_at', '<=', clock()).execute()
}

async function cleanProject(db: ProjectDb, projectId: string, rules: Housekeeping, now: Date): Promise<void> {
  const before = (days: number) => new Date(now.getTime() - days * DAY)
  const { tests_after_days: tests, steps_after_days: steps, mails_after_days: mails, versions_kept: kept } = rules
  if (tests !== null) {
    const isOver = sql<boolean>`environment in ('playground', 'editor') and updated_at < ${before(tests)}`
    await inRounds(CONVERSATIONS, () => deleteConversations(db, projectId, isOver, CONVERSATIONS))
  }
  if (steps !== null) {
    const isOver = sql<boolean>`run_id in (
      select runs.id from runs join conversations on conversations.id = runs.conversation_id
      where runs.project_id = ${projectId} and conversations.project_id = ${projectId}
        and environment in ('production', 'sharing') and status = 'closed' and updated_at < ${before(steps)})`
    for (const table of ['turn_records', 'effects'] as const)
      await inRounds(ROWS, () => deleteRows(db, projectId, table, isOver))
  }
  if (mails !== null) {
    const isOver = sql<boolean>`status <> 'sending' and created_at < ${before(mails)}`
    await inRounds(ROWS, () => deleteRows(db, projectId, 'mails', isOver))
  }
  if (kept !== null) await inRounds(VERSIONS, () => deleteVersions(db, projectId, kept))
}

/**
 * Deletes published versions behind the newest ones of their flow. The published one stays, and so does one that a run
 * is of, or that figures of statistics are about: they would go with it.
 */
async function deleteVersions(db: ProjectDb, projectId: string, kept: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from flow_versions where project_id = ${projectId} and id = any(array(
      select id from (
        select id, row_number() over (partition by flow_id order by number desc) as place
        from flow_versions where project_id = ${projectId} and number is not null) as placed
      where place > ${kept}
        and not exists (select from flows where published_version_id = placed.id and flows.project_id = ${projectId})
        and not exists (select from runs where flow_version_id = placed.id and runs.project_id = ${projectId})
        and not exists (select from place_visits where flow_version_id = placed.id and place_visits.project_id = ${projectId})
        and not exists (select from place_months where flow_version_id = placed.id and place_months.project_id = ${projectId})
      limit ${VERSIONS}))`.execute(db)
  return Number(numAffectedRows ?? 0n)
}

async function deleteRows(
  db: ProjectDb,
  projectId: string,
  table: 'turn_records' | 'effects' | 'mails',
  which: RawBuilder<boolean>,
): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from ${sql.table(table)} where project_id = ${projectId} and ctid = any(array(
      select ctid from ${sql.table(table)} where project_id = ${projectId} and ${which} limit ${ROWS}))`.execute(db)
  return Number(numAffectedRows ?? 0n)
}

async function inRounds(atOnce: number, some: () => Promise<number>): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) if ((await some()) < atOnce) return
}
