import type { ColumnType, Generated } from 'kysely'
import type { Json } from '../../../engine/values/json'

declare module '../../platform/database/tables' {
  interface Database {
    chatbots: ChatbotsTable
  }
}

export interface SetupStep {
  text: string
  done: boolean
}
export interface ChatbotsTable {
  id: Generated<string>
  gid: string
  egid: string
  project_id: string
  name: string
  type: Generated<number>
  version: Generated<number>
  platform_id: Generated<number>
  /** of the shared page; unique in the whole installation */
  slug: string
  business_name: Generated<string>
  business_description: Generated<string>
  instructions: Generated<string>
  /** SPEC.md 9: 1 when unset, which is the built-in model */
  ai_model_id: Generated<number>
  ai_fallback_model_id: Generated<number | null>
  /** a name of engine/values/aiLanguages.ts */
  ai_language: Generated<string>
  ai_temperature: Generated<number>
  /** parts of addresses that answers never link to */
  hide_urls: Generated<string[]>
  /** the chatbot whose knowledge base is used instead of its own */
  linked_kb_id: Generated<string | null>
  /** counts the changes of its chunks */
  knowledge_version: Generated<string>
  knowledge_calibration: ColumnType<Json, string | null | undefined, string | null>
  /** null: it is not being deleted */
  deleting_since: Generated<Date | null>
  rows_to_delete: Generated<string>
  rows_deleted: Generated<string>
  /** credits that it may use a month; null: what the plan has */
  monthly_budget: ColumnType<string | null, number | null | undefined, number | null>
  /** credits that one visitor may use a day; null: no bound */
  visitor_budget: ColumnType<string | null, number | null | undefined, number | null>
  /** what is left to fill in of the template that it was made of */
  setup_steps: ColumnType<SetupStep[], string | undefined, string>
  /** false: of before flows referred to secrets by name, and not yet gone through */
  secrets_sealed: Generated<boolean>
  created_at: Date
  updated_at: Date
}
