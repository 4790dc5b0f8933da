import type { ColumnType, Generated } from 'kysely'
import type { Flow } from '../../../engine/flow/schema'

declare module '../../platform/database/tables' {
  interface Database {
    flows: FlowsTable
    flow_updates: FlowUpdatesTable
    flow_snapshots: FlowSnapshotsTable
    flow_versions: FlowVersionsTable
  }
}

/** A flow's draft; its content is in the document's updates (server/modules/flows/collab). */
export interface FlowsTable {
  id: Generated<string>
  gid: string
  project_id: string
  chatbot_id: string
  title: string
  is_main: Generated<boolean>
  published_version_id: string | null
  published_at: Date | null
  published_by: string | null
  created_at: Generated<Date>
}
export interface FlowUpdatesTable {
  id: Generated<string>
  project_id: string
  flow_id: string
  data: Buffer
  /** false for changes of the server itself */
  edited: Generated<boolean>
  /** null: unknown */
  edited_by: Generated<string | null>
  created_at: Generated<Date>
}
export interface FlowSnapshotsTable {
  flow_id: string
  project_id: string
  data: Buffer
  updated_at: Generated<Date>
  /** the last compacted edit; null: none */
  edited_at: Generated<Date | null>
  edited_by: Generated<string | null>
  /** number of compactions */
  generation: Generated<string>
}
export interface FlowVersionsTable {
  id: Generated<string>
  project_id: string
  flow_id: string
  /** null for a draft frozen by the playground */
  number: number | null
  hash: string
  /** written as JSON.stringify(flow), read as the parsed flow */
  flow: ColumnType<Flow, string, never>
  /** the chatbot's other flows by gid */
  flows: ColumnType<Record<string, Flow>, string | undefined, never>
  /** of all flows including the main one, by gid */
  titles: ColumnType<Record<string, string>, string | undefined, never>
  name: string | null
  notes: Generated<string>
  /** null if it was never published */
  first_published_at: Date | null
  created_by: string | null
  created_at: Generated<Date>
}
