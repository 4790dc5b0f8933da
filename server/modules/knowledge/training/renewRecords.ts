import { sql } from 'kysely'
import type { ServerContext } from '../../../platform/context'
import { plainText } from '../chunks/chunkMarkdown'
import { loadLexicon } from '../lexicon/loadLexicon'
import { FORM, tokensOf } from '../retrieval/tokens'
import { scheduleCalibration } from './scheduleCalibration'

/** Passages per transaction, and transactions per sweep: the rest waits for the next ones. */
const BATCH = 100
const ROUNDS = 200

/**
 * Makes the records of passages anew that are of an earlier form, and calibrates their chatbots afterwards. Their texts
 * stay, so that nobody is charged for training. For all projects.
 */
export async function renewRecords(context: Pick<ServerContext, 'db' | 'clock' | 'jobs'>): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) if (!(await renewSome(context))) return
}

/** @returns whether there may be more */
async function renewSome(context: Pick<ServerContext, 'db' | 'clock' | 'jobs'>): Promise<boolean> {
  const { db } = context
  const old = sql<boolean>`get_byte(chunks.tokens, 0) < ${FORM}`
  const rows = await db
    .selectFrom('knowledge_chunks as chunks')
    .innerJoin('knowledge_sources as sources', (join) =>
      join.onRef('sources.id', '=', 'chunks.source_id').onRef('sources.project_id', '=', 'chunks.project_id'),
    )
    .select(['chunks.id', 'chunks.heading', 'chunks.body', 'chunks.chatbot_id', 'chunks.project_id'])
    .select(['sources.kind', 'sources.language'])
    .where(old)
    .limit(BATCH)
    .execute()
  if (rows.length === 0) return false
  const lexicon = await loadLexicon()
  const tokens: Buffer[] = []
  for (const { heading, body, kind, language } of rows) {
    tokens.push(tokensOf({ heading, body: plainText(body), isFaq: kind === 'faq', language }, lexicon))
    // a record takes a few ms
    await new Promise((resolve) => setImmediate(resolve))
  }
  await db.transaction().execute(async (work) => {
    // what was trained meanwhile has a record of this form, or is gone
    await sql`update knowledge_chunks as chunks set tokens = renewed.tokens
      from unnest(${rows.map(({ id }) => id)}::bigint[], ${tokens}::bytea[]) as renewed (id, tokens)
      where chunks.id = renewed.id and ${old}`.execute(work)
    const chatbots = new Map(rows.map(({ chatbot_id, project_id }) => [chatbot_id, project_id]))
    for (const [chatbotId, projectId] of [...chatbots].sort()) {
      await work
        .updateTable('chatbots')
        .set(({ eb }) => ({ knowledge_version: eb('knowledge_version', '+', '1') }))
        .where('id', '=', chatbotId)
        .where('project_id', '=', projectId)
        .execute()
      await scheduleCalibration(context, work, { projectId, chatbotId })
    }
  })
  context.jobs.wake()
  return rows.length === BATCH
}
