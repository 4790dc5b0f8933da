import type { Generated } from 'kysely'

export interface FilesTable {
  id: Generated<string>
  gid: string
  project_id: string
  /** the file's name in the file store */
  sha256: string
  media_type: string
  bytes: number
  name: string
  created_by: string | null
  created_at: Date
}

/** Recent and current uploads, for quotas. */
export interface UploadsTable {
  id: Generated<string>
  project_id: string
  chatbot_id: string | null
  /** null for members of the project */
  address: string | null
  bytes: number | string
  under_way: Generated<boolean>
  created_at: Date
}
