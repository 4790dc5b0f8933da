import type { ColumnType, Generated } from 'kysely'
import type { Json } from '../../../../engine/values/json'

/** Rows of migration 0026. */
declare module '../../../platform/database/tables' {
  interface Database {
    tool_servers: ToolServersTable
  }
}

/** A tool as described by its server. */
export interface OfferedTool {
  name: string
  title: string
  description: string
  /** JSON Schema of its arguments */
  schema: Record<string, Json>
  /** whether its server declares it read-only; absent: no, or listed before this was read */
  reads_only?: boolean
}
export interface ToolServersTable {
  id: Generated<string>
  gid: string
  project_id: string
  chatbot_id: string
  name: string
  url: string
  sealed_token: string | null
  token_preview: string | null
  enabled: boolean
  tools: ColumnType<OfferedTool[], string, string>
  /** names of disabled tools */
  off: Generated<string[]>
  problem: string | null
  listed_at: Date
  created_by: string | null
  created_at: Date
}
