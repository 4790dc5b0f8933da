import type { z } from 'zod'
import type { versionSchema } from './contract'

export function presentVersion(row: {
  number: number | null
  created_at: Date
  first_name: string | null
  last_name: string | null
}): z.infer<typeof versionSchema> {
  return {
    number: row.number ?? 0,
    at: row.created_at.toISOString(),
    by: [row.first_name, row.last_name].filter(Boolean).join(' '),
  }
}
