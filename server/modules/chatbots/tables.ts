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
  /** SPEC.md 9: default 1, the built-in model */
  ai_model_id: Generated<number>
  ai_fallback_model_id: Generated<number | null>
  /** a name of engine/values/aiLanguages.ts */
  ai_language: Generated<string>
  ai_temperature: Generated<number>
  /** whether the nearest questions are offered where nothing answers */
  ai_suggestions: Generated<boolean>
  /** parts of addresses that answers must not link to */
  hide_urls: Generated<string[]>
  /** the chatbot whose knowledge base is used instead of its own */
  linked_kb_id: Generated<string | null>
  /** evaluation questions are asked after each training */
  evaluates_training: Generated<boolean>
  /** incremented with each change of its chunks */
  knowledge_version: Generated<string>
  knowledge_calibration: ColumnType<Json, string | null | undefined, string | null>
  /** shows what a chatbot with life in it looks like: in no meter, never published */
  sample: Generated<boolean>
  /** an owner said that it stays within the plan's limit (server/access/overLimit.ts) */
  chosen_to_stay: Generated<boolean>
  /** null: it is not being deleted */
  deleting_since: Generated<Date | null>
  /** as its project's: visitors' calls read it here */
  suspended_at: Generated<Date | null>
  rows_to_delete: Generated<string>
  rows_deleted: Generated<string>
  /** the most credits it may use per month; null: no limit but the plan's */
  monthly_budget: ColumnType<string | null, number | null | undefined, number | null>
  /** the most credits one visitor may use per day; null: no limit */
  visitor_budget: ColumnType<string | null, number | null | undefined, number | null>
  /** the steps left to fill in of its template */
  setup_steps: ColumnType<SetupStep[], string | undefined, string>
  /** false: created before flows referred to secrets by name, and not converted yet */
  secrets_sealed: Generated<boolean>
  created_at: Date
  updated_at: Date
}
