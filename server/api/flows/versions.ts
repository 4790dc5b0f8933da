import { createHash } from 'node:crypto'
import type { ChatbotFlows } from '../../../engine/flow/schema'
import type { ServerContext } from '../../context'

interface FlowPlace {
  id: string
  project_id: string
}

/** What a version keeps: the main flow, the others by the ids that blocks enter them by, and the hash of all. */
function frozen({ main, others }: ChatbotFlows) {
  const flow = JSON.stringify(main)
  const flows = JSON.stringify(Object.fromEntries(others.map((other) => [other.id, other.flow])))
  return { flow, flows, hash: createHash('sha256').update(flow).update(flows).digest('hex') }
}

/**
 * Freezes the drafts of a chatbot for the playground, without a number; equal ones share one row, which counts as new again: it is
 * not forgotten before a conversation is about it. Gives the version's row id.
 * @param place the main flow
 */
export async function freezeDraft(
  { db, clock }: Pick<ServerContext, 'db' | 'clock'>,
  place: FlowPlace,
  flows: ChatbotFlows,
): Promise<string> {
  const created_at = clock()
  const values = { project_id: place.project_id, flow_id: place.id, number: null, created_by: null, created_at }
  const row = await db
    .insertInto('flow_versions')
    .values({ ...values, ...frozen(flows) })
    .onConflict((conflict) =>
      conflict.columns(['flow_id', 'hash']).where('number', 'is', null).doUpdateSet({ created_at }),
    )
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

/**
 * Freezes the flows of a chatbot under the next number and gives them to visitors. Two who publish at once get two numbers.
 * @param place the main flow
 */
export async function publishVersion(
  { db, clock }: Pick<ServerContext, 'db' | 'clock'>,
  place: FlowPlace,
  flows: ChatbotFlows,
  userId: string,
) {
  return db.transaction().execute(async (trx) => {
    await trx
      .selectFrom('flows')
      .select('id')
      .where('id', '=', place.id)
      .where('project_id', '=', place.project_id)
      .forUpdate()
      .executeTakeFirstOrThrow()
    const last = await trx
      .selectFrom('flow_versions')
      .select(({ fn }) => fn.max('number').as('number'))
      .where('flow_id', '=', place.id)
      .where('project_id', '=', place.project_id)
      .executeTakeFirst()
    const version = await trx
      .insertInto('flow_versions')
      .values({
        project_id: place.project_id,
        flow_id: place.id,
        number: (last?.number ?? 0) + 1,
        ...frozen(flows),
        created_by: userId,
        created_at: clock(),
      })
      .returning(['id', 'number', 'created_at'])
      .executeTakeFirstOrThrow()
    await setPublished(trx, place, version.id)
    return version
  })
}

/** Takes the flow off; its versions stay. */
export const unpublish = ({ db }: Pick<ServerContext, 'db'>, place: FlowPlace) => setPublished(db, place, null)

async function setPublished(db: ServerContext['db'], place: FlowPlace, versionId: string | null) {
  await db
    .updateTable('flows')
    .set({ published_version_id: versionId })
    .where('id', '=', place.id)
    .where('project_id', '=', place.project_id)
    .execute()
}

/** The published versions, newest first. */
export async function versionsOf({ db }: Pick<ServerContext, 'db'>, place: FlowPlace) {
  return db
    .selectFrom('flow_versions')
    .leftJoin('users', 'users.id', 'flow_versions.created_by')
    .select(['flow_versions.number', 'flow_versions.created_at', 'users.first_name', 'users.last_name'])
    .where('flow_id', '=', place.id)
    .where('project_id', '=', place.project_id)
    .where('number', 'is not', null)
    .orderBy('number', 'desc')
    .execute()
}
