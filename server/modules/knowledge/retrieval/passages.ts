import type { Db } from '../../../platform/database/database'
import { outOfQuarantine } from '../evidence/quarantine'
import type { KnowledgePlace, Passage } from '../knowledge'

/** A chatbot's passages with their sources, and what of these is allowed though it speaks to chatbots. */
export const passageRows = (db: Db, { projectId, chatbotId }: KnowledgePlace) =>
  db
    .selectFrom('knowledge_chunks as chunk')
    .innerJoin('knowledge_sources as source', (join) =>
      join.onRef('source.id', '=', 'chunk.source_id').onRef('source.project_id', '=', 'chunk.project_id'),
    )
    .select(['chunk.id', 'chunk.heading', 'chunk.body', 'source.gid', 'source.kind', 'source.title', 'source.url'])
    .select('source.planted_allowed')
    .where('chunk.project_id', '=', projectId)
    .where('chunk.chatbot_id', '=', chatbotId)

/** Reads the passages of hits, in their order, without chunks deleted since, and without what is in quarantine. */
export async function readPassages(
  db: Db,
  place: KnowledgePlace,
  ranked: readonly { id: number; score: number }[],
): Promise<Passage[]> {
  if (ranked.length === 0) return []
  const rows = await passageRows(db, place)
    .where(({ eb }) => eb('chunk.id', '=', eb.fn.any(eb.val(ranked.map(({ id }) => String(id))))))
    .execute()
  const found = new Map(rows.map((row) => [Number(row.id), row]))
  return ranked.flatMap(({ id, score }) => {
    const row = found.get(id)
    if (!row) return []
    const { gid, kind, title, url, heading } = row
    const text = outOfQuarantine(row, row.planted_allowed)
    return text === '' ? [] : { id: row.id, source: { gid, kind, title, url }, heading, text, score }
  })
}
