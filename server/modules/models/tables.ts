import type { ColumnType, Generated } from 'kysely'
import type { Provider } from '../../contracts/ai'

/** The driver gives text, and takes numbers. */
type Decimal = ColumnType<string, number, number>

/** Rows of models' providers and of AI message credits (migration 0021). */
export interface AiTables {
  ai_connections: AiConnectionsTable
  ai_connection_models: AiConnectionModelsTable
  credit_reservations: CreditReservationsTable
  credit_months: CreditMonthsTable
}

/** A provider as a project has set it up. */
export interface AiConnectionsTable {
  id: Generated<string>
  gid: string
  project_id: string
  provider: Provider
  /** by server/platform/secrets; null: it wants none */
  sealed_key: string | null
  key_preview: string | null
  base_url: string | null
  embedding_model: string | null
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
/** Credits that are taken and not yet settled. */
export interface CreditReservationsTable {
  project_id: string
  key: string
  chatbot_id: string | null
  visitor: string | null
  month: Decimal
  lifetime: Decimal
  reserved_at: Date
  /** null: it counts */
  released_at: Generated<Date | null>
}
/** The sums of what was settled in a month. */
export interface CreditMonthsTable {
  project_id: string
  /** YYYY-MM, in UTC */
  month: string
  used: ColumnType<string, number | undefined, number>
  lifetime: ColumnType<string, number | undefined, number>
  refused_at: Date | null
  told: Generated<number>
}
