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

/** The draft of a chatbot's conversation; its content lies in the document's updates (server/modules/flows/collab). */
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
  /** false for what the server did by itself */
  edited: Generated<boolean>
  /** null: not known */
  edited_by: Generated<string | null>
  created_at: Generated<Date>
}
export interface FlowSnapshotsTable {
  flow_id: string
  project_id: string
  data: Buffer
  updated_at: Generated<Date>
  /** the last edit that was folded in; null: none was */
  edited_at: Generated<Date | null>
  edited_by: Generated<string | null>
  /** counts how often updates were folded in */
  generation: Generated<string>
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
  /** the chatbot's other flows by gid */
  flows: ColumnType<Record<string, Flow>, string | undefined, never>
  /** of all flows, the main one too, by gid */
  titles: ColumnType<Record<string, string>, string | undefined, never>
  name: string | null
  notes: Generated<string>
  /** null for what visitors never got */
  first_published_at: Date | null
  created_by: string | null
  created_at: Generated<Date>
}
