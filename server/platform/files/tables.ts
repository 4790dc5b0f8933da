import type { Generated } from 'kysely'

/** What was uploaded lately or is being uploaded, for quotas. */
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
