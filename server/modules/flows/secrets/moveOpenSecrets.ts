import { createHash } from 'node:crypto'
import { sql, type Transaction } from 'kysely'
import { sealDocument } from '../../../../engine/document/sealDocument'
import type { SaveSecret } from '../../../../engine/flow/defineBlock'
import type { BotMessage } from '../../../../engine/flow/effects'
import type { Flow } from '../../../../engine/flow/schema'
import { sealFlow } from '../../../../engine/flow/sealFlow'
import { searchedText } from '../../../../engine/run/recordingWords'
import type { Json } from '../../../../engine/values/json'
import type { ServerContext } from '../../../platform/context'
import type { Database } from '../../../platform/database/tables'
import { createRecordCleaner, type RecordCleaner } from '../../secrets/openRecords'
import { createProjectSecrets } from '../../secrets/projectSecrets'
import { rewriteDocument } from '../collab/rewriteDocument'

type Context = Pick<ServerContext, 'db' | 'config' | 'registry' | 'ids' | 'clock'>
type Work = Transaction<Database>
interface Chatbot {
  id: string
  project_id: string
}

/**
 * Moves plain-text secrets of HTTP requests, from before secrets existed, into project secrets: from drafts (and their
 * history), versions, kept tests and records of conversations. One transaction per chatbot, so that an interrupted
 * start continues; concurrent starts wait for each other. Run it before anything is served.
 * @returns how many chatbots were processed
 */
export async function moveOpenSecrets(context: Context): Promise<number> {
  let count = 0
  for (;;) {
    const chatbot = await context.db
      .selectFrom('chatbots')
      .select(['id', 'project_id'])
      .where('secrets_sealed', '=', false)
      .orderBy('id')
      .limit(1)
      .executeTakeFirst()
    if (!chatbot) return count
    await context.db.transaction().execute((trx) => moveOf(context, trx, chatbot))
    count++
  }
}

async function moveOf(context: Context, trx: Work, chatbot: Chatbot): Promise<void> {
  // locks out others who add secrets, and other starting processes
  await trx.selectFrom('projects').select('id').where('id', '=', chatbot.project_id).forUpdate().execute()
  const row = await trx
    .selectFrom('chatbots')
    .select('secrets_sealed')
    .where('id', '=', chatbot.id)
    .where('project_id', '=', chatbot.project_id)
    .executeTakeFirst()
  if (!row || row.secrets_sealed) return
  const secrets = createProjectSecrets(context)
  const collector = await secrets.collector(trx, {
    projectId: chatbot.project_id,
    by: { actor: 'system' },
    correlation: `secrets of ${chatbot.id}`,
    at: context.clock(),
  })
  const { save } = collector
  await moveFromDrafts(context, trx, chatbot, save)
  await moveFromVersions(context, trx, chatbot, save)
  await collector.store()
  const values = await secrets.valuesOf(chatbot.project_id, undefined, trx)
  const cleaner = createRecordCleaner(new Map(Array.from(values, ([name, value]) => [value, name])))
  await cleanRecords(trx, chatbot, cleaner)
  await trx
    .updateTable('chatbots')
    .set({ secrets_sealed: true })
    .where('id', '=', chatbot.id)
    .where('project_id', '=', chatbot.project_id)
    .execute()
}

async function moveFromDrafts(
  { registry }: Context,
  trx: Work,
  { id, project_id }: Chatbot,
  save: SaveSecret,
): Promise<void> {
  const flows = await trx
    .selectFrom('flows')
    .select('id')
    .where('project_id', '=', project_id)
    .where('chatbot_id', '=', id)
    .execute()
  // even if nothing changes: updates may contain overwritten values
  for (const flow of flows)
    await rewriteDocument(trx, { id: flow.id, projectId: project_id }, (doc) => sealDocument(doc, registry, save) > 0)
}

async function moveFromVersions(
  { registry }: Context,
  trx: Work,
  { id, project_id }: Chatbot,
  save: SaveSecret,
): Promise<void> {
  const versions = await trx
    .selectFrom('flow_versions')
    .innerJoin('flows', (join) =>
      join.onRef('flows.id', '=', 'flow_versions.flow_id').onRef('flows.project_id', '=', 'flow_versions.project_id'),
    )
    .select('flow_versions.id')
    .where('flows.chatbot_id', '=', id)
    .where('flows.project_id', '=', project_id)
    .orderBy('flow_versions.id')
    .execute()
  for (const version of versions) {
    const { number, flow, flows } = await trx
      .selectFrom('flow_versions')
      .select(['number', 'flow', 'flows'])
      .where('id', '=', version.id)
      .where('project_id', '=', project_id)
      .executeTakeFirstOrThrow()
    const sealed = (one: Flow) => sealFlow(one, registry, save)
    const main = sealed(flow)
    const others = Object.fromEntries(Object.entries(flows).map(([gid, one]) => [gid, sealed(one)]))
    if (main === flow && Object.entries(flows).every(([gid, one]) => others[gid] === one)) continue
    const texts = [JSON.stringify(main), JSON.stringify(others)]
    const hash = createHash('sha256')
    for (const text of texts) hash.update(text)
    // drafts frozen by the playground are identified by their hash, which they keep
    await sql`
      update flow_versions set flow = ${texts[0]}, flows = ${texts[1]},
        hash = case when ${number === null} then hash else ${hash.digest('hex')} end
      where id = ${version.id} and project_id = ${project_id}
    `.execute(trx)
  }
}

/** Records of conversations by table: the conversation's column, the key, and the JSON columns. */
const records = [
  { table: 'messages', of: 'conversation_id', key: ['conversation_id', 'seq'], columns: ['content'] },
  { table: 'runs', of: 'id', key: ['id'], columns: ['session', 'pending', 'start_event', 'opening'] },
  { table: 'effects', of: 'run_id', key: ['run_id', 'turn', 'position'], columns: ['request', 'result'] },
  {
    table: 'turn_records',
    of: 'run_id',
    key: ['run_id', 'turn'],
    columns: ['trace', 'variables', 'stopped', 'received', 'session', 'offered'],
  },
] as const

/** Conversations whose records are read at once. */
const AT_ONCE = 50

async function cleanRecords(trx: Work, { id, project_id }: Chatbot, cleaner: RecordCleaner): Promise<void> {
  const kept = await trx
    .selectFrom('recordings')
    .select(['id', 'recording'])
    .where('project_id', '=', project_id)
    .where('chatbot_id', '=', id)
    .execute()
  for (const row of kept)
    await trx
      .updateTable('recordings')
      .set({ recording: JSON.stringify(cleaner.clean(row.recording as unknown as Json)) })
      .where('id', '=', row.id)
      .where('project_id', '=', project_id)
      .execute()
  for (let last = '0'; ; ) {
    const conversations = await trx
      .selectFrom('conversations')
      .select('id')
      .where('project_id', '=', project_id)
      .where('chatbot_id', '=', id)
      .where('id', '>', last)
      .orderBy('id')
      .limit(AT_ONCE)
      .execute()
    const ids = conversations.map((one) => one.id)
    const end = ids.at(-1)
    if (end === undefined) return
    for (const record of records) await cleanTable(trx, record, project_id, ids, cleaner)
    last = end
  }
}

async function cleanTable(
  trx: Work,
  { table, of, key, columns }: (typeof records)[number],
  projectId: string,
  conversations: string[],
  { traces, clean }: RecordCleaner,
): Promise<void> {
  const ids =
    of === 'conversation_id'
      ? sql`${conversations}`
      : sql`array(
    select id from runs where project_id = ${projectId} and conversation_id = any(${conversations}::bigint[]))`
  const text = sql`concat(${sql.join(columns.map((column) => sql`${sql.ref(column)}::text`))})`
  const { rows } = await sql<Record<string, Json>>`
    select ${sql.join([...key, ...columns].map((column) => sql.ref(column)))} from ${sql.table(table)}
    where project_id = ${projectId} and ${sql.ref(of)} = any((${ids})::bigint[])
      and exists (select from unnest(${traces}::text[]) as trace where strpos(${text}, trace) > 0)
  `.execute(trx)
  for (const row of rows) {
    const values = columns.map((column) => {
      const value = row[column] ?? null
      return sql`${sql.ref(column)} = ${value === null ? null : JSON.stringify(clean(value))}`
    })
    // what is searched stands beside it
    if (table === 'messages')
      values.push(sql`words = ${searchedText(clean(row.content ?? null) as unknown as BotMessage)}`)
    await sql`
      update ${sql.table(table)} set ${sql.join(values)}
      where project_id = ${projectId} and ${sql.join(
        key.map((column) => sql`${sql.ref(column)} = ${row[column]}`),
        sql` and `,
      )}
    `.execute(trx)
  }
}
