import type { ServerContext } from '../../../platform/context'
import type { Db } from '../../../platform/database/database'
import { appendEvent } from '../../../platform/events/defineEvent'
import { TaskError } from '../../../platform/workers/taskError'
import { failureOf, ofRun, sourceFailed } from '../events'
import { chargeTraining } from './chargeTraining'
import type { Content } from './content'
import { makeChunks } from './makeChunks'
import { type Readers, readSource, type SourceRow } from './readSource'
import { repeatedBlocks } from './repeatedBlocks'
import { nextResync } from './resync'
import { type Trained, writeChunks } from './writeChunks'

/** The interval at which a run checks whether it is still wanted. */
const LOOK_EVERY = 2_000
const TOO_MUCH = 'This takes too much time or memory to be cut into passages. Split it, or add it as a text.'
const FAULT =
  'This could not be trained because of a fault of the server. Try again; if it stays, tell the person who runs it.'

/** What a run works with: the rows of its project. */
type Context = { db: Db } & Pick<ServerContext, 'clock' | 'log'>

/**
 * Executes a run: reads its sources, splits them into passages and replaces the old ones. Failures are stored at their
 * source. Repeatable: trained sources no longer belong to the run, the others are started again.
 * @throws what the database throws: then the run is retried
 */
export async function trainRun(context: Context, readers: Readers, run: string): Promise<Set<string>> {
  const stop = new AbortController()
  const looking = setInterval(() => {
    isWanted(context, run).then(
      (wanted) => wanted || stop.abort(),
      () => undefined,
    )
  }, LOOK_EVERY)
  try {
    const sources = await take(context, run)
    const trained: Trained[] = []
    for (const source of sources) {
      const made = await prepare(context, readers, source, run, stop.signal)
      if (made) trained.push(made)
    }
    return await writeChunks(context, run, trained)
  } finally {
    clearInterval(looking)
  }
}

/** Takes the run's sources, which are now being read. */
function take({ db, clock }: Context, run: string): Promise<SourceRow[]> {
  return db
    .updateTable('knowledge_sources')
    .set({ status: 'reading', updated_at: clock() })
    .where('run', '=', run)
    .where('status', 'in', ['queued', 'reading', 'training'])
    .returningAll()
    .execute()
}

async function isWanted({ db }: Context, run: string): Promise<boolean> {
  const row = await db.selectFrom('knowledge_sources').select('id').where('run', '=', run).executeTakeFirst()
  return row !== undefined
}

/** A source's passages; null if it ended otherwise, which is stored. */
async function prepare(
  context: Context,
  readers: Readers,
  source: SourceRow,
  run: string,
  signal: AbortSignal,
): Promise<Trained | null> {
  const end = (values: { status: 'ready' | 'error'; reason: string | null }) => endRun(context, source, run, values)
  try {
    const repeated = source.kind === 'link' ? await repeatedBlocks(context.db, source) : []
    // a page that has not changed may have got others beside it that say the same
    const isCompared = source.blocks?.some((block) => repeated.includes(Number(block))) ?? false
    const read = await readSource(readers, isCompared ? { ...source, etag: null } : source, signal)
    if ('failed' in read) return await end({ status: 'error', reason: withOld(source, read.failed) })
    if ('unchanged' in read) return await end({ status: 'ready', reason: null })
    const content = clean(read.content)
    await context.db
      .updateTable('knowledge_sources')
      .set({ status: 'training' })
      .where('id', '=', source.id)
      .where('run', '=', run)
      .execute()
    const made = await makeChunks(content, source.kind === 'faq', source.content_hash, repeated, {
      owner: source.project_id,
      signal,
    })
    if (!made) return await end({ status: 'ready', reason: content.note })
    const refusal = await chargeTraining(context, source, made.hash, made.characters)
    if (refusal) return await end({ status: 'error', reason: withOld(source, refusal) })
    return { source, content, ...made, note: made.note ?? content.note }
  } catch (error) {
    if (signal.aborted) return null
    if (error instanceof TaskError && error.fault !== 'failed')
      return end({ status: 'error', reason: withOld(source, TOO_MUCH) })
    if (isOfDatabase(error)) throw error
    context.log.error({ err: error, source: source.gid }, 'a source could not be trained')
    return end({ status: 'error', reason: withOld(source, FAULT) })
  }
}

/** Ends a source's part in a run without new passages. */
async function endRun(
  { db, clock }: Context,
  source: SourceRow,
  run: string,
  values: { status: 'ready' | 'error'; reason: string | null },
): Promise<null> {
  const now = clock()
  await db.transaction().execute(async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable('knowledge_sources')
      .set({ ...values, run: null, updated_at: now, next_resync_at: nextResync(source.resync, now) })
      .where('project_id', '=', source.project_id)
      .where('id', '=', source.id)
      .where('run', '=', run)
      .executeTakeFirst()
    if (numUpdatedRows > 0n && values.status === 'error')
      await appendEvent(trx, sourceFailed, ofRun(source, run, now), failureOf(source, values.reason))
  })
  return null
}

/** A site's outage does not remove old passages. */
const withOld = ({ content_hash }: SourceRow, reason: string): string =>
  content_hash === null ? reason : `${reason} What was trained before is still used.`

/** PostgreSQL accepts every character except NUL. */
const clean = (content: Content): Content => ({
  ...content,
  title: content.title.replaceAll('\0', '').slice(0, 500),
  markdown: content.markdown.replaceAll('\0', ''),
})

const isOfDatabase = (error: unknown): boolean =>
  error instanceof Error &&
  ('severity' in error || 'code' in error || /Connection terminated|connection/i.test(error.message))
