import type { Source } from '../../../contracts/sources'
import type { ListedSource } from './rows'

const isAllowed = ({ planted, planted_allowed }: ListedSource): boolean =>
  planted.every((text) => planted_allowed.includes(text))

export function presentSource(row: ListedSource): Source {
  return {
    gid: row.gid,
    kind: row.kind,
    title: row.title,
    url: row.url,
    file_name: row.file_name,
    bytes: row.bytes === null ? null : Number(row.bytes),
    pages: row.pages,
    characters: row.characters,
    chunks: row.chunk_count,
    language: row.language,
    status: row.status,
    reason: row.reason,
    resync: row.resync,
    planted: row.planted.length === 0 ? 'none' : isAllowed(row) ? 'allowed' : 'quarantined',
    created_at: row.created_at.toISOString(),
    trained_at: row.trained_at?.toISOString() ?? null,
  }
}
