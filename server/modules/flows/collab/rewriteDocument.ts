import type { Transaction } from 'kysely'
import * as Y from 'yjs'
import type { Database } from '../../../platform/database/tables'
import { createLoadedDoc } from './foldParts'
import type { FlowRef } from './store'

/**
 * Edits a stored document that nobody has open, within the caller's transaction: replaced content is neither in the
 * stored bytes nor in any update.
 * @param change edits it; returns whether it did. If it did not and nothing is to be compacted, nothing is written
 */
export async function rewriteDocument(
  trx: Transaction<Database>,
  flow: FlowRef,
  change: (doc: Y.Doc) => boolean,
): Promise<void> {
  const row = await trx
    .selectFrom('flows')
    .select('id')
    .where('id', '=', flow.id)
    .where('project_id', '=', flow.projectId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!row) return
  const snapshot = await trx
    .selectFrom('flow_snapshots')
    .select(['data', 'generation', 'updated_at', 'edited_at', 'edited_by'])
    .where('flow_id', '=', flow.id)
    .where('project_id', '=', flow.projectId)
    .executeTakeFirst()
  const updates = await trx
    .selectFrom('flow_updates')
    .select(['id', 'data', 'created_at', 'edited', 'edited_by'])
    .where('flow_id', '=', flow.id)
    .where('project_id', '=', flow.projectId)
    .orderBy('id')
    .execute()
  const doc = createLoadedDoc([...(snapshot ? [snapshot.data] : []), ...updates.map((update) => update.data)])
  const changed = change(doc)
  const data = Buffer.from(Y.encodeStateAsUpdate(doc))
  doc.destroy()
  const ids = updates.map((update) => update.id)
  if (ids.length === 0 && !changed) return
  // when the flow was last edited, not compacted
  const updated_at = updates.at(-1)?.created_at ?? snapshot?.updated_at
  const edit = updates.findLast(({ edited }) => edited)
  const edited_at = edit?.created_at ?? snapshot?.edited_at ?? null
  const edited_by = (edit ?? snapshot)?.edited_by ?? null
  const values = { data, updated_at, edited_at, edited_by, generation: String(Number(snapshot?.generation ?? 0) + 1) }
  await trx
    .insertInto('flow_snapshots')
    .values({ flow_id: flow.id, project_id: flow.projectId, ...values })
    .onConflict((conflict) => conflict.column('flow_id').doUpdateSet(values))
    .execute()
  if (ids.length === 0) return
  await trx
    .deleteFrom('flow_updates')
    .where('flow_id', '=', flow.id)
    .where('project_id', '=', flow.projectId)
    .where('id', 'in', ids)
    .execute()
}
