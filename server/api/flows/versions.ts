import { createHash } from 'node:crypto'
import type { Flow } from '../../../engine/flow/schema'
import type { ServerContext } from '../../context'

interface FlowPlace {
  id: string
  project_id: string
}

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')

/** Freezes a draft for the playground, without a number; equal drafts share one row. Gives the version's row id. */
export async function freezeDraft({ db }: Pick<ServerContext, 'db'>, place: FlowPlace, flow: Flow): Promise<string> {
  const text = JSON.stringify(flow)
  const values = {
    project_id: place.project_id,
    flow_id: place.id,
    number: null,
    hash: hashOf(text),
    flow: text,
    created_by: null,
  }
  await db
    .insertInto('flow_versions')
    .values(values)
    .onConflict((conflict) => conflict.columns(['flow_id', 'hash']).where('number', 'is', null).doNothing())
    .execute()
  const row = await db
    .selectFrom('flow_versions')
    .select('id')
    .where('project_id', '=', place.project_id)
    .where('flow_id', '=', place.id)
    .where('hash', '=', values.hash)
    .where('number', 'is', null)
    .executeTakeFirstOrThrow()
  return row.id
}

/** Freezes a flow under the next number and gives it to visitors. Two who publish at once get two numbers. */
export async function publishVersion(
  { db, clock }: Pick<ServerContext, 'db' | 'clock'>,
  place: FlowPlace,
  flow: Flow,
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
    const text = JSON.stringify(flow)
    const version = await trx
      .insertInto('flow_versions')
      .values({
        project_id: place.project_id,
        flow_id: place.id,
        number: (last?.number ?? 0) + 1,
        hash: hashOf(text),
        flow: text,
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
