import { sql } from 'kysely'
import * as Y from 'yjs'
import type { Db } from '../../../platform/database/database'
import { nextTurn } from '../../../platform/nextTurn'
import { foldParts } from './foldParts'

/** A flow's row id with its project's: every query uses both. */
export interface FlowRef {
  id: string
  projectId: string
}

/**
 * What has been read of a document: its snapshot's generation, and the rows after it. Row ids are not ordered by
 * visibility: of two concurrent appends, the one with the larger id may become visible first.
 */
export interface ReadMark {
  generation: number
  /** of the updates after the snapshot */
  ids: string[]
}

/** A stored document: a snapshot and the updates after it. */
export interface StoredDocument extends ReadMark {
  parts: Uint8Array[]
  bytes: number
}

/** Bytes per result row: the driver decodes a row synchronously, and one of megabytes would block the event loop. */
const PIECE = 128 * 1024

/**
 * One statement, so that the result is consistent during a concurrent compaction. Each part comes in several rows;
 * `|| ''` makes the database decompress it once instead of per row.
 */
export async function loadDocument(db: Db, flow: FlowRef): Promise<StoredDocument> {
  const { rows } = await sql<{ data: Buffer; update_id: string | null; generation: string }>`
    with parts as materialized (
      select data || ''::bytea as data, null::bigint as update_id, generation
        from flow_snapshots where flow_id = ${flow.id} and project_id = ${flow.projectId}
      union all
      select data || ''::bytea, id, 0 from flow_updates where flow_id = ${flow.id} and project_id = ${flow.projectId}
    )
    select substring(data from piece * ${PIECE}::int + 1 for ${PIECE}::int) as data, update_id, generation
    from parts cross join lateral generate_series(0, (length(data) - 1) / ${PIECE}::int) as piece
    order by update_id nulls first, piece`.execute(db)
  const parts = joinPieces(rows.map(({ update_id, data }) => ({ of: update_id, data })))
  return {
    parts: [...parts.values()],
    bytes: rows.reduce((sum, row) => sum + row.data.length, 0),
    generation: Number(rows[0]?.generation ?? 0),
    ids: [...parts.keys()].flatMap((id) => id ?? []),
  }
}

function joinPieces<Of>(rows: readonly { of: Of; data: Buffer }[]): Map<Of, Uint8Array> {
  const pieces = new Map<Of, Buffer[]>()
  for (const { of, data } of rows) {
    const present = pieces.get(of)
    if (present) present.push(data)
    else pieces.set(of, [data])
  }
  return new Map([...pieces].map(([of, [first, ...more]]) => [of, joined(first as Buffer, more)]))
}

const joined = (first: Buffer, more: readonly Buffer[]): Uint8Array =>
  more.length === 0 ? first : Buffer.concat([first, ...more])

/**
 * What any process stored since a mark; null if the flow was deleted. If the generation differs, unread rows may have
 * been compacted: then the whole document must be reloaded.
 */
export async function readNews(db: Db, flow: FlowRef, known: Iterable<string>): Promise<StoredNews | null> {
  const ids = [...known]
  const { rows } = await sql<{ generation: string; id: string | null; data: Buffer | null }>`
    select coalesce(flow_snapshots.generation, 0) as generation, flow_updates.id, pieces.data
    from flows
    left join flow_snapshots on flow_snapshots.flow_id = flows.id and flow_snapshots.project_id = flows.project_id
    left join flow_updates on flow_updates.flow_id = flows.id and flow_updates.project_id = flows.project_id
    left join lateral (
      select piece, substring(whole.data from piece * ${PIECE}::int + 1 for ${PIECE}::int) as data
      from (select flow_updates.data || ''::bytea as data offset 0) as whole
      cross join lateral generate_series(0, (length(whole.data) - 1) / ${PIECE}::int) as piece
    ) as pieces on flow_updates.id <> all(${ids}::bigint[])
    where flows.id = ${flow.id} and flows.project_id = ${flow.projectId}
    order by flow_updates.id, pieces.piece`.execute(db)
  if (!rows[0]) return null
  return {
    generation: Number(rows[0].generation),
    ids: [...new Set(rows.flatMap(({ id }) => id ?? []))],
    fresh: [...joinPieces(rows.flatMap(({ id, data }) => (data ? [{ of: id, data }] : []))).values()],
  }
}

export interface StoredNews extends ReadMark {
  fresh: Uint8Array[]
}

/** The user and time of an edit; `by` is null if unknown. */
export interface Edit {
  /** a user's row id */
  by: string | null
}

/**
 * Resolves with the row's id when it is durable. Throws what the database throws; a deleted flow violates a foreign key
 * (23503).
 * @param edit null for changes of the server itself
 */
export async function appendUpdate(
  db: Db,
  flow: FlowRef,
  data: Uint8Array,
  edit: Edit | null = { by: null },
): Promise<string> {
  const { id } = await db
    .insertInto('flow_updates')
    .values({
      project_id: flow.projectId,
      flow_id: flow.id,
      data: Buffer.from(data.buffer, data.byteOffset, data.byteLength),
      edited: edit !== null,
      edited_by: edit?.by ?? null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/**
 * Compacts the stored updates into the snapshot, in one transaction, so that a crash loses nothing. Only rows that were
 * read are deleted, so that later ones stay. Of concurrent compactions, the later one starts again: no connection is
 * held while the parts are merged.
 * @param fold merges the parts, in a worker thread if they are large
 * @returns the stored bytes, and which rows the snapshot of the new generation contains
 */
export async function compactDocument(
  db: Db,
  flow: FlowRef,
  fold: (parts: Uint8Array[]) => Promise<Uint8Array> | Uint8Array = foldParts,
): Promise<ReadMark & { bytes: number }> {
  for (;;) {
    const { parts, bytes, ids, generation } = await loadDocument(db, flow)
    if (ids.length === 0) return { bytes, generation, ids }
    const data = await fold(parts)
    if (await putSnapshot(db, flow, { data, ids, generation }))
      return { bytes: data.length, generation: generation + 1, ids }
  }
}

/** @returns false if another process has compacted meanwhile */
function putSnapshot(db: Db, flow: FlowRef, { data, ids, generation }: ReadMark & { data: Uint8Array }) {
  return db.transaction().execute(async (trx) => {
    await trx
      .selectFrom('flows')
      .select('id')
      .where('id', '=', flow.id)
      .where('project_id', '=', flow.projectId)
      .forNoKeyUpdate()
      .executeTakeFirst()
    // when the flow was last edited, not compacted
    const { rows } = await sql<{
      updated_at: Date
      generation: string
      edited_at: Date | null
      edited_by: string | null
    }>`
      select last.created_at as updated_at, coalesce(flow_snapshots.generation, 0) as generation,
        coalesce(edit.created_at, flow_snapshots.edited_at) as edited_at,
        case when edit.created_at is null then flow_snapshots.edited_by else edit.edited_by end as edited_by
      from flow_updates as last
      left join flow_snapshots using (flow_id, project_id)
      left join lateral (
        select created_at, edited_by from flow_updates
        where flow_id = ${flow.id} and project_id = ${flow.projectId} and id = any(${ids}::bigint[]) and edited
        order by id desc limit 1
      ) as edit on true
      where last.id = ${ids.at(-1)} and flow_id = ${flow.id} and project_id = ${flow.projectId}`.execute(trx)
    const [last] = rows
    if (Number(last?.generation) !== generation) return false
    const values = {
      data: Buffer.from(data.buffer, data.byteOffset, data.byteLength),
      updated_at: last?.updated_at,
      edited_at: last?.edited_at ?? null,
      edited_by: last?.edited_by ?? null,
      generation: String(generation + 1),
    }
    await trx
      .insertInto('flow_snapshots')
      .values({ flow_id: flow.id, project_id: flow.projectId, ...values })
      .onConflict((conflict) => conflict.column('flow_id').doUpdateSet(values))
      .execute()
    await trx
      .deleteFrom('flow_updates')
      .where('flow_id', '=', flow.id)
      .where('project_id', '=', flow.projectId)
      .where('id', 'in', ids)
      .execute()
    return true
  })
}

/** Applies an update in pieces, with a pause for other work after each. */
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
