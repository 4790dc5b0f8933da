import { createHash } from 'node:crypto'
import type { Transaction } from 'kysely'
import type { ChatbotFlows } from '../../../../engine/flow/schema'
import type { ServerContext } from '../../../platform/context'
import type { Db } from '../../../platform/database/database'
import type { Database } from '../../../platform/database/tables'
import { ApiError } from '../../../platform/errors'

/** A chatbot's main flow, which owns its versions. */
interface FlowPlace {
  id: string
  project_id: string
}

/** The content of a version: the main flow, the others by id, and the hash of all. */
export function frozen({ main, others }: ChatbotFlows) {
  const flow = JSON.stringify(main)
  const flows = JSON.stringify(Object.fromEntries(others.map((other) => [other.id, other.flow])))
  const hash = createHash('sha256').update(flow).update(flows).digest('hex')
  return { flow, flows, hash, titles: Object.fromEntries(others.map(({ id, title }) => [id, title])) }
}

export type Frozen = ReturnType<typeof frozen>

/**
 * Freezes a chatbot's drafts for the playground, without a number. Equal ones share one row, whose age restarts: it is
 * not deleted before a conversation uses it. Returns the version's row id.
 */
export async function freezeDraft(
  { db, clock }: { db: Db } & Pick<ServerContext, 'clock'>,
  place: FlowPlace,
  { flow, flows, hash }: Frozen,
): Promise<string> {
  const created_at = clock()
  const values = { project_id: place.project_id, flow_id: place.id, number: null, created_by: null, created_at }
  const row = await db
    .insertInto('flow_versions')
    .values({ ...values, flow, flows, hash })
    .onConflict((conflict) =>
      conflict.columns(['flow_id', 'hash']).where('number', 'is', null).doUpdateSet({ created_at }),
    )
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

/** Freezes a chatbot's flows under the next number. Concurrent calls get different numbers. */
export async function freezeNumbered(
  trx: Transaction<Database>,
  { clock }: Pick<ServerContext, 'clock'>,
  place: FlowPlace & { gid: string; title: string },
  { titles: others, ...content }: Frozen,
  about: { name?: string; notes?: string; userId: string; published: boolean },
) {
  const last = await lockLast(trx, place)
  const at = clock()
  const titles = { [place.gid]: place.title, ...others }
  return trx
    .insertInto('flow_versions')
    .values({
      project_id: place.project_id,
      flow_id: place.id,
      number: (last?.number ?? 0) + 1,
      ...content,
      titles: JSON.stringify(titles),
      name: about.name || null,
      notes: about.notes ?? '',
      created_by: about.userId,
      created_at: at,
      first_published_at: about.published ? at : null,
    })
    .returning(['id', 'number', 'name', 'notes', 'created_at', 'first_published_at'])
    .executeTakeFirstOrThrow()
}

/** Stores the draft under a number unless the newest version is equal: then returns null. */
export async function keepDraft(
  trx: Transaction<Database>,
  context: Pick<ServerContext, 'clock'>,
  place: FlowPlace & { gid: string; title: string },
  flows: Frozen,
  about: { name: string; userId: string },
) {
  const last = await lockLast(trx, place)
  if (last?.hash === flows.hash) return null
  return freezeNumbered(trx, context, place, flows, { ...about, published: false })
}

/** The newest numbered version, locked against concurrent creation. */
async function lockLast(trx: Transaction<Database>, place: FlowPlace) {
  await trx
    .selectFrom('flows')
    .select('id')
    .where('id', '=', place.id)
    .where('project_id', '=', place.project_id)
    .forUpdate()
    .executeTakeFirstOrThrow()
  return trx
    .selectFrom('flow_versions')
    .select(['number', 'hash'])
    .where('flow_id', '=', place.id)
    .where('project_id', '=', place.project_id)
    .where('number', 'is not', null)
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/**
 * Publishes a version, or unpublishes with null; versions stay.
 * @throws ApiError sample_only: the project's sample takes no place of the plan, so that visitors can't have it
 */
export async function setPublished(
  db: Db,
  { clock }: Pick<ServerContext, 'clock'>,
  place: FlowPlace,
  published: { versionId: string; userId: string } | null,
): Promise<void> {
  const at = published ? clock() : null
  if (published && (await isSample(db, place))) throw new ApiError('sample_only')
  await db
    .updateTable('flows')
    .set({
      published_version_id: published?.versionId ?? null,
      published_at: at,
      published_by: published?.userId ?? null,
    })
    .where('id', '=', place.id)
    .where('project_id', '=', place.project_id)
    .execute()
  if (!published) return
  await db
    .updateTable('flow_versions')
    .set(({ fn, val }) => ({ first_published_at: fn.coalesce('first_published_at', val(at)) }))
    .where('id', '=', published.versionId)
    .where('project_id', '=', place.project_id)
    .execute()
}

const isSample = async (db: Db, { id, project_id }: FlowPlace): Promise<boolean> =>
  (
    await db
      .selectFrom('flows')
      .innerJoin('chatbots', 'chatbots.id', 'flows.chatbot_id')
      .select('chatbots.sample')
      .where('flows.id', '=', id)
      .where('flows.project_id', '=', project_id)
      .executeTakeFirst()
  )?.sample === true
