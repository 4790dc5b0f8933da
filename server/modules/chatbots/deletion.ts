import { sql, type Transaction } from 'kysely'
import { z } from 'zod'
import type { ServerContext } from '../../platform/context'
import type { Db } from '../../platform/database/database'
import type { Database } from '../../platform/database/tables'
import { appendEvent, type EventContext } from '../../platform/events/defineEvent'
import type { FileStore } from '../../platform/files/files'
import { defineJob, type HandledJob } from '../../platform/jobs/defineJob'
import { sweepJob } from '../../platform/jobs/sweeps'
import { FORGET_FILES } from '../conversations/files/forgetFiles'
import { chatbotDeleted } from './events'

/**
 * The most batches per execution of the job: then it is scheduled again, so that a crash repeats little and other jobs
 * get their turn.
 */
const BATCHES = 20

interface Place {
  projectId: string
  chatbotId: string
}

/**
 * The tables that may have many rows of one chatbot, in the order of deletion, and the number of rows per transaction.
 * Foreign keys delete dependent rows. `keep`: the rows stay, without the chatbot.
 */
const tables = [
  { name: 'knowledge_sources', batch: 10 },
  { name: 'crawls', batch: 1 },
  { name: 'knowledge_feeds', batch: 20 },
  { name: 'conversations', batch: 250 },
  { name: 'place_visits', batch: 2_000 },
  { name: 'place_months', batch: 2_000 },
  { name: 'visit_counts', batch: 2_000 },
  { name: 'visit_months', batch: 2_000 },
  { name: 'insight_rows', batch: 2_000 },
  { name: 'insight_days', batch: 2_000 },
  { name: 'insight_visitors', batch: 2_000 },
  { name: 'insight_names', batch: 2_000 },
  { name: 'agent_rows', batch: 2_000 },
  { name: 'agent_days', batch: 2_000 },
  { name: 'agent_hours', batch: 2_000 },
  { name: 'leads', batch: 2_000 },
  { name: 'contacts', batch: 2_000, keep: true },
  { name: 'credit_uses', batch: 2_000, keep: true },
] as const
/** Likewise for a project, once its chatbots are deleted. */
const tablesOfProject = [
  { name: 'contact_calls', batch: 2_000 },
  { name: 'contacts', batch: 2_000 },
  { name: 'mails', batch: 500 },
  { name: 'credit_uses', batch: 2_000 },
] as const
const EVENTS = 2_000

const deleteChatbotRows = defineJob('delete-chatbot', z.strictObject({ project: z.string(), chatbot: z.string() }))
const deleteProjectRows = defineJob('delete-project', z.strictObject({ project: z.string() }))

/**
 * Makes chatbots inaccessible and schedules a job that deletes their rows: call `context.jobs.wake()` after the commit.
 * From then on their addresses and those of their flows are unknown, and none of their jobs and timers runs.
 */
export async function beginDeletion(
  context: Pick<ServerContext, 'db' | 'clock' | 'jobs' | 'ids'>,
  trx: Transaction<Database>,
  projectId: string,
  chatbotIds: readonly string[],
  origin: EventContext,
): Promise<void> {
  for (const chatbotId of chatbotIds) {
    const place = { project_id: projectId, chatbot_id: chatbotId }
    const { gid, name } = await trx
      .selectFrom('chatbots')
      .select(['gid', 'name'])
      .where('project_id', '=', projectId)
      .where('id', '=', chatbotId)
      .executeTakeFirstOrThrow()
    await appendEvent(trx, chatbotDeleted, origin, { chatbot: gid, name })
    await trx
      .updateTable('chatbots')
      .set({
        gid: context.ids(),
        slug: `deleted-${context.ids()}`,
        deleting_since: context.clock(),
        linked_kb_id: null,
      })
      .where('project_id', '=', projectId)
      .where('id', '=', chatbotId)
      .execute()
    await sql`update chatbots set linked_kb_id = null
      where project_id = ${projectId} and linked_kb_id = ${chatbotId}`.execute(trx)
    await sql`update user_settings set default_chatbot_id = null where default_chatbot_id = ${chatbotId}`.execute(trx)
    const flows = trx.selectFrom('flows').select('id').where('project_id', '=', projectId)
    for (const { id } of await flows.where('chatbot_id', '=', chatbotId).execute()) {
      await trx
        .updateTable('flows')
        .set({ gid: context.ids(), published_version_id: null })
        .where('project_id', '=', projectId)
        .where('id', '=', id)
        .execute()
    }
    await sql`delete from custom_domains where project_id = ${projectId} and chatbot_id = ${chatbotId}`.execute(trx)
    await sql`delete from jobs using conversations
      where jobs.kind in ('conversation-timer', 'hand-off-added', 'deliver-messages') and jobs.project_id = ${projectId} and jobs.key = conversations.id::text
        and conversations.project_id = ${projectId} and conversations.chatbot_id = ${chatbotId}`.execute(trx)
    await sql`update chatbots set rows_to_delete = ${await countRows(trx, place)}
      where project_id = ${projectId} and id = ${chatbotId}`.execute(trx)
    await context.jobs.schedule(trx, deleteChatbotRows, {
      key: chatbotId,
      payload: { project: projectId, chatbot: chatbotId },
      runAt: context.clock(),
      projectId,
    })
  }
}

/** The same for a project, whose members are removed: deletes its chatbots, its files, and finally itself. */
export async function beginProjectDeletion(
  context: Pick<ServerContext, 'db' | 'clock' | 'jobs' | 'ids'>,
  trx: Transaction<Database>,
  projectId: string,
  origin: EventContext,
): Promise<void> {
  const chatbots = trx.selectFrom('chatbots').select('id').where('project_id', '=', projectId)
  const open = await chatbots.where('deleting_since', 'is', null).execute()
  await beginDeletion(
    context,
    trx,
    projectId,
    open.map(({ id }) => id),
    origin,
  )
  for (const table of ['project_members', 'invitations', 'api_keys'] as const) {
    await trx.deleteFrom(table).where('project_id', '=', projectId).execute()
  }
  await context.jobs.schedule(trx, deleteProjectRows, {
    key: projectId,
    payload: { project: projectId },
    runAt: context.clock(),
    // the project's own jobs are deleted with it
    projectId: null,
  })
}

/** The jobs that delete batch by batch, each in a transaction of its own, so that they continue after a crash. */
export function deletions(
  { db, clock, jobs }: Pick<ServerContext, 'db' | 'clock' | 'jobs'>,
  files: Pick<FileStore, 'removeArea'>,
): HandledJob[] {
  const chatbots = deleteChatbotRows.handledBy(async ({ project, chatbot }) => {
    if (!(await deleteSome(db, { projectId: project, chatbotId: chatbot }))) return clock()
    await db.deleteFrom('chatbots').where('project_id', '=', project).where('id', '=', chatbot).execute()
    // its files are no longer referred to
    const sweep = { key: FORGET_FILES, payload: null, runAt: clock(), projectId: null }
    await jobs.schedule(db, sweepJob(FORGET_FILES), sweep)
    return undefined
  })

  const projects = deleteProjectRows.handledBy(async ({ project }) => {
    const chatbot = await db
      .selectFrom('chatbots')
      .select('id')
      .where('project_id', '=', project)
      .orderBy('id')
      .executeTakeFirst()
    if (chatbot) {
      if (await deleteSome(db, { projectId: project, chatbotId: chatbot.id })) {
        await db.deleteFrom('chatbots').where('project_id', '=', project).where('id', '=', chatbot.id).execute()
      }
      return clock()
    }
    for (const { name, batch } of tablesOfProject) {
      const rows = sql`delete from ${sql.table(name)} where ctid = any (array(
        select ctid from ${sql.table(name)} where project_id = ${project} limit ${batch}))`
      for (let round = 0; round < BATCHES; round++) {
        if (!(await rows.execute(db)).numAffectedRows) break
        if (round === BATCHES - 1) return clock()
      }
    }
    await db.deleteFrom('projects').where('id', '=', project).execute()
    // after it, since nothing refuses an event of a project that is gone. By primary key: a row's physical location is
    // only unique within one monthly partition
    const events = sql`delete from events where project_id = ${project} and (id, at) in (
      select id, at from events where project_id = ${project} limit ${EVENTS})`
    for (let round = 0; (await events.execute(db)).numAffectedRows; round++) if (round === BATCHES) return clock()
    await files.removeArea(project)
    return undefined
  })

  return [chatbots, projects]
}

/** Deletes some batches of a chatbot's rows. @returns whether none are left */
async function deleteSome(db: Db, { projectId, chatbotId }: Place): Promise<boolean> {
  let left = BATCHES
  for (const table of tables) {
    const of = sql`array(select ctid from ${sql.table(table.name)}
      where project_id = ${projectId} and chatbot_id = ${chatbotId} limit ${table.batch})`
    const step =
      'keep' in table
        ? sql`update ${sql.table(table.name)} set chatbot_id = null where ctid = any (${of})`
        : sql`delete from ${sql.table(table.name)} where ctid = any (${of})`
    for (;;) {
      const gone = await db.transaction().execute(async (trx) => {
        // a connection caches the plans of foreign keys: one made while a table was empty scans all of it for each
        // deleted row
        await sql`discard plans`.execute(trx)
        // the project's job and the chatbot's own must not run at once: rows that another transaction is deleting look
        // deleted
        await sql`select from chatbots where project_id = ${projectId} and id = ${chatbotId} for no key update`.execute(
          trx,
        )
        const { numAffectedRows = 0n } = await step.execute(trx)
        await sql`update chatbots set rows_deleted = rows_deleted + ${numAffectedRows.toString()}::bigint
          where project_id = ${projectId} and id = ${chatbotId}`.execute(trx)
        return numAffectedRows
      })
      if (gone === 0n) break
      left -= 1
      if (left === 0) return false
    }
  }
  return true
}

async function countRows(
  trx: Transaction<Database>,
  { project_id, chatbot_id }: { project_id: string; chatbot_id: string },
): Promise<string> {
  const counts = tables.map(
    ({ name }) =>
      sql`(select count(*) from ${sql.table(name)} where project_id = ${project_id} and chatbot_id = ${chatbot_id})`,
  )
  const { rows } = await sql<{ sum: string }>`select ${sql.join(counts, sql` + `)} as sum`.execute(trx)
  return rows[0]?.sum ?? '0'
}
