import type { Version } from '../../../contracts/versions'

export function presentVersion(row: {
  number: number | null
  name: string | null
  notes: string
  created_at: Date
  first_published_at: Date | null
  first_name: string | null
  last_name: string | null
}): Version {
  return {
    number: row.number ?? 0,
    name: row.name,
    notes: row.notes,
    at: row.created_at.toISOString(),
    by: [row.first_name, row.last_name].filter(Boolean).join(' '),
    kept: row.first_published_at === null,
  }
}
