import type { Generated } from 'kysely'
import type { Provider } from '../../contracts/ai'

/** Rows of models' providers (migrations 0021, 0221). */
declare module '../../platform/database/tables' {
  interface Database {
    ai_connections: AiConnectionsTable
    ai_connection_models: AiConnectionModelsTable
  }
}

/** A provider set up by a project. */
export interface AiConnectionsTable {
  id: Generated<string>
  gid: string
  project_id: string
  provider: Provider
  /** encrypted by server/platform/secrets; null: it needs none */
  sealed_key: string | null
  key_preview: string | null
  base_url: string | null
  embedding_model: string | null
  /** of an OpenAI-compatible server: turns speech into text */
  speech_model: string | null
  created_at: Date
  updated_at: Date
}
/** A model of an OpenAI-compatible server. */
export interface AiConnectionModelsTable {
  /** from 1000 on */
  id: Generated<number>
  project_id: string
  connection_id: string
  position: number
  name: string
  supports_actions: boolean
}
