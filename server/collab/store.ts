import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql, type Transaction } from 'kysely'
import * as Y from 'yjs'
import type { Db } from '../storage/database'
import type { Database } from '../storage/tables'

/** A flow's row id together with its project's: every query carries both. */
export interface FlowRef {
  id: string
  projectId: string
}

/**
 * What of a document was read: how often its snapshot was folded by then, and the rows after it. Row ids say nothing of order: of two
 * processes that append at once, the one with the larger id may be seen first.
 */
export interface ReadMark {
  generation: number
  /** of the updates that wait to be folded into the snapshot */
  ids: string[]
}

/** What a document is stored as: one snapshot, and the updates after it. */
export interface StoredDocument extends ReadMark {
  parts: Uint8Array[]
  bytes: number
}

/** One statement, so that what is read is of one moment even while somebody compacts. */
export async function loadDocument(db: Db, flow: FlowRef): Promise<StoredDocument> {
  const { rows } = await sql<{ data: Buffer; update_id: string | null; generation: string }>`
    select data, update_id, generation from (
      select data, null::bigint as update_id, generation
        from flow_snapshots where flow_id = ${flow.id} and project_id = ${flow.projectId}
      union all
      select data, id, 0 from flow_updates where flow_id = ${flow.id} and project_id = ${flow.projectId}
    ) as parts order by update_id nulls first`.execute(db)
  return {
    parts: rows.map((row) => row.data),
    bytes: rows.reduce((sum, row) => sum + row.data.length, 0),
    generation: Number(rows[0]?.generation ?? 0),
    ids: rows.flatMap(({ update_id }) => update_id ?? []),
  }
}

/**
 * What was stored since a mark, by whomever; null when the flow is gone. Where the generation is another, rows that were not read may
 * have been folded: then the whole document has to be loaded again.
 */
export async function readNews(db: Db, flow: FlowRef, known: Iterable<string>): Promise<StoredNews | null> {
  const ids = [...known]
  const { rows } = await sql<{ generation: string; id: string | null; data: Buffer | null }>`
    select coalesce(flow_snapshots.generation, 0) as generation, flow_updates.id,
      case when flow_updates.id = any(${ids}::bigint[]) then null else flow_updates.data end as data
    from flows
    left join flow_snapshots on flow_snapshots.flow_id = flows.id and flow_snapshots.project_id = flows.project_id
    left join flow_updates on flow_updates.flow_id = flows.id and flow_updates.project_id = flows.project_id
    where flows.id = ${flow.id} and flows.project_id = ${flow.projectId}
    order by flow_updates.id`.execute(db)
  if (!rows[0]) return null
  return {
    generation: Number(rows[0].generation),
    ids: rows.flatMap(({ id }) => id ?? []),
    fresh: rows.flatMap(({ data }) => data ?? []),
  }
}

export interface StoredNews extends ReadMark {
  fresh: Uint8Array[]
}

/** Durable when it resolves, with the row's id. Throws what the database throws; a flow that was deleted is a violated foreign key (23503). */
export async function appendUpdate(db: Db, flow: FlowRef, data: Uint8Array): Promise<string> {
  const { id } = await db
    .insertInto('flow_updates')
    .values({
      project_id: flow.projectId,
      flow_id: flow.id,
      data: Buffer.from(data.buffer, data.byteOffset, data.byteLength),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/**
 * Folds the stored updates into the snapshot, in one transaction: a crash at any point leaves the one or the other, never less.
 * Only the rows that were read are deleted, so that an update appended meanwhile stays. Of processes that fold at once, one waits.
 * @returns the bytes stored afterwards, and which rows are in the snapshot of that generation now
 */
export async function compactDocument(db: Db, flow: FlowRef): Promise<ReadMark & { bytes: number }> {
  return db.transaction().execute((trx) => foldStored(trx, flow))
}

/**
 * Folds in a transaction of the caller's.
 * @param change edits the document on the way: nothing of what it replaces is in the bytes that are stored then, nor in any update.
 * Tells whether it did; where it did not, nothing is written but what folding writes
 */
export async function foldStored(
  trx: Transaction<Database>,
  flow: FlowRef,
  change?: (doc: Y.Doc) => boolean,
): Promise<ReadMark & { bytes: number }> {
  const row = await trx
    .selectFrom('flows')
    .select('id')
    .where('id', '=', flow.id)
    .where('project_id', '=', flow.projectId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!row) return { bytes: 0, generation: 0, ids: [] }
  const snapshot = await trx
    .selectFrom('flow_snapshots')
    .select(['data', 'generation', 'updated_at'])
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
  const { data, changed } = fold(
    [...(snapshot ? [snapshot.data] : []), ...updates.map((update) => update.data)],
    change,
  )
  const ids = updates.map((update) => update.id)
  const before = Number(snapshot?.generation ?? 0)
  if (ids.length === 0 && !changed) return { bytes: data.length, generation: before, ids }
  const generation = before + 1
  // when the flow was last edited, not when it was tidied
  const updated_at = updates.at(-1)?.created_at ?? snapshot?.updated_at
  await trx
    .insertInto('flow_snapshots')
    .values({ flow_id: flow.id, project_id: flow.projectId, data, updated_at, generation: String(generation) })
    .onConflict((conflict) =>
      conflict.column('flow_id').doUpdateSet({ data, updated_at, generation: String(generation) }),
    )
    .execute()
  if (ids.length > 0)
    await trx
      .deleteFrom('flow_updates')
      .where('flow_id', '=', flow.id)
      .where('project_id', '=', flow.projectId)
      .where('id', 'in', ids)
      .execute()
  return { bytes: data.length, generation, ids }
}

/** Through a document rather than by merging bytes: that drops the content of what was deleted. */
function fold(parts: readonly Uint8Array[], change?: (doc: Y.Doc) => boolean): { data: Buffer; changed: boolean } {
  const doc = createLoadedDoc(parts)
  try {
    const changed = change?.(doc) ?? false
    return { data: Buffer.from(Y.encodeStateAsUpdate(doc)), changed }
  } finally {
    doc.destroy()
  }
}

/** Applies an update that comes in pieces; whoever else wants this thread has a turn after each. */
export async function applyInPieces(
  doc: Y.Doc,
  pieces: readonly Uint8Array[],
  { origin, isOver = () => false }: { origin?: unknown; isOver?: () => boolean } = {},
): Promise<void> {
  for (const [at, piece] of pieces.entries()) {
    if (at > 0) await nextTurn()
    if (isOver()) return
    Y.applyUpdate(doc, piece, origin)
  }
}

export function createLoadedDoc(parts: readonly Uint8Array[]): Y.Doc {
  const doc = new Y.Doc()
  doc.transact(() => {
    for (const part of parts) Y.applyUpdate(doc, part)
  })
  return doc
}
