import { sql } from 'kysely'
import * as Y from 'yjs'
import type { Db } from '../storage/database'

/** A flow's row id together with its project's: every query carries both. */
export interface FlowRef {
  id: string
  projectId: string
}

/** What a document is stored as: one snapshot, and the updates after it. */
export interface StoredDocument {
  parts: Uint8Array[]
  bytes: number
  /** how many updates wait to be folded into the snapshot */
  updates: number
}

/** One statement, so that what is read is of one moment even while somebody compacts. */
export async function loadDocument(db: Db, flow: FlowRef): Promise<StoredDocument> {
  const { rows } = await sql<{ data: Buffer; is_update: boolean }>`
    select data, is_update from (
      select data, false as is_update, 0 as id from flow_snapshots where flow_id = ${flow.id} and project_id = ${flow.projectId}
      union all
      select data, true, id from flow_updates where flow_id = ${flow.id} and project_id = ${flow.projectId}
    ) as parts order by is_update, id`.execute(db)
  return {
    parts: rows.map((row) => row.data),
    bytes: rows.reduce((sum, row) => sum + row.data.length, 0),
    updates: rows.filter((row) => row.is_update).length,
  }
}

/** Durable when it resolves. Throws what the database throws; a flow that was deleted is a violated foreign key (23503). */
export async function appendUpdate(db: Db, flow: FlowRef, data: Uint8Array): Promise<void> {
  await db
    .insertInto('flow_updates')
    .values({
      project_id: flow.projectId,
      flow_id: flow.id,
      data: Buffer.from(data.buffer, data.byteOffset, data.byteLength),
    })
    .execute()
}

/**
 * Folds the stored updates into the snapshot, in one transaction: a crash at any point leaves the one or the other, never less.
 * Only the rows that were read are deleted, so that an update appended meanwhile stays.
 * @returns the bytes stored afterwards
 */
export async function compactDocument(db: Db, flow: FlowRef): Promise<number> {
  return db.transaction().execute(async (trx) => {
    const row = await trx
      .selectFrom('flows')
      .select('id')
      .where('id', '=', flow.id)
      .where('project_id', '=', flow.projectId)
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (!row) return 0
    const snapshot = await trx
      .selectFrom('flow_snapshots')
      .select('data')
      .where('flow_id', '=', flow.id)
      .where('project_id', '=', flow.projectId)
      .executeTakeFirst()
    const updates = await trx
      .selectFrom('flow_updates')
      .select(['id', 'data', 'created_at'])
      .where('flow_id', '=', flow.id)
      .where('project_id', '=', flow.projectId)
      .orderBy('id')
      .execute()
    const data = fold([...(snapshot ? [snapshot.data] : []), ...updates.map((update) => update.data)])
    if (updates.length === 0) return data.length
    // when the flow was last edited, not when it was tidied
    const updated_at = updates.at(-1)?.created_at
    await trx
      .insertInto('flow_snapshots')
      .values({ flow_id: flow.id, project_id: flow.projectId, data, updated_at })
      .onConflict((conflict) => conflict.column('flow_id').doUpdateSet({ data, updated_at }))
      .execute()
    await trx
      .deleteFrom('flow_updates')
      .where('flow_id', '=', flow.id)
      .where('project_id', '=', flow.projectId)
      .where(
        'id',
        'in',
        updates.map((update) => update.id),
      )
      .execute()
    return data.length
  })
}

/** Through a document rather than by merging bytes: that drops the content of what was deleted. */
function fold(parts: readonly Uint8Array[]): Buffer {
  const doc = createLoadedDoc(parts)
  try {
    return Buffer.from(Y.encodeStateAsUpdate(doc))
  } finally {
    doc.destroy()
  }
}

export function createLoadedDoc(parts: readonly Uint8Array[]): Y.Doc {
  const doc = new Y.Doc()
  doc.transact(() => {
    for (const part of parts) Y.applyUpdate(doc, part)
  })
  return doc
}
