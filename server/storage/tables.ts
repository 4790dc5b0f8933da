import type { ColumnType, Generated } from 'kysely'
import type { Flow } from '../../engine/flow/schema'

/** Rows as Kysely sees them, table by table; bigint ids are strings, as the driver gives them. */
export interface Database {
  flows: FlowsTable
  flow_updates: FlowUpdatesTable
  flow_snapshots: FlowSnapshotsTable
  flow_versions: FlowVersionsTable
}

/** The draft of a chatbot's conversation; its content lies in the document's updates (server/collab). */
export interface FlowsTable {
  id: Generated<string>
  gid: string
  project_id: string
  chatbot_id: string
  title: string
  is_main: Generated<boolean>
  published_version_id: string | null
  created_at: Generated<Date>
}
export interface FlowUpdatesTable {
  id: Generated<string>
  project_id: string
  flow_id: string
  data: Buffer
  created_at: Generated<Date>
}
export interface FlowSnapshotsTable {
  flow_id: string
  project_id: string
  data: Buffer
  updated_at: Generated<Date>
}
export interface FlowVersionsTable {
  id: Generated<string>
  project_id: string
  flow_id: string
  /** null for a draft that the playground froze */
  number: number | null
  hash: string
  /** JSON.stringify(flow) goes in, the parsed flow comes out */
  flow: ColumnType<Flow, string, never>
  created_by: string | null
  created_at: Generated<Date>
}
