import type { ColumnType, Generated } from 'kysely'
import type { Flow } from '../../../engine/flow/schema'
import type { ContactField } from '../../../engine/values/contactFields'
import type { Json } from '../../../engine/values/json'
import type { ApiKeyTables } from '../../modules/accounts/api-keys/tables'
import type { AccountTables } from '../../modules/accounts/tables'
import type { ActionTables } from '../../modules/agents/actions/tables'
import type { InstructionTables } from '../../modules/agents/instructions/tables'
import type { ToolServerTables } from '../../modules/agents/toolServers/tables'
import type { ConversationTables } from '../../modules/conversations/tables'
import type { CommentTables } from '../../modules/flows/comments/tables'
import type { KnowledgeTables } from '../../modules/knowledge/tables'
import type { AiTables } from '../../modules/models/tables'
import type { SecretTables } from '../../modules/secrets/tables'

/** Rows as Kysely sees them, table by table; bigint ids are strings, as the driver gives them. */
export interface Database
  extends AccountTables,
    CommentTables,
    ConversationTables,
    KnowledgeTables,
    InstructionTables,
    AiTables,
    ActionTables,
    ApiKeyTables,
    SecretTables,
    ToolServerTables {
  chatbots: ChatbotsTable
  flows: FlowsTable
  flow_updates: FlowUpdatesTable
  flow_snapshots: FlowSnapshotsTable
  flow_versions: FlowVersionsTable
  files: FilesTable
  jobs: JobsTable
  mails: MailsTable
  credit_uses: CreditUsesTable
  contacts: ContactsTable
  contact_calls: ContactCallsTable
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

export interface FilesTable {
  id: Generated<string>
  gid: string
  project_id: string
  /** names the bytes in the file store */
  sha256: string
  media_type: string
  bytes: number
  name: string
  created_by: string | null
  created_at: Date
}
export interface JobsTable {
  id: Generated<string>
  project_id: string | null
  kind: string
  key: string | null
  payload: ColumnType<Json, string, string>
  run_at: Date
  attempts: Generated<number>
  lease: string | null
  failed_at: Date | null
  error: string | null
  created_at: Date
}

export interface MailAddresses {
  to: string[]
  cc: string[]
  bcc: string[]
  replyTo: string[]
}
export interface MailsTable {
  id: Generated<string>
  gid: string
  project_id: string
  conversation_id: string | null
  key: string
  purpose: 'flow' | 'hand-off' | 'invitation' | 'comment' | 'credits'
  status: 'sending' | 'sent' | 'failed' | 'outbox'
  reason: string | null
  message_id: string
  /** sent by a test */
  test: Generated<boolean>
  from_name: string
  addresses: ColumnType<MailAddresses, string, never>
  subject: string
  html: string
  body: string
  created_at: Date
  sent_at: Date | null
}
export interface CreditUsesTable {
  project_id: string
  credit: string
  key: string
  amount: ColumnType<string, number, never>
  /** of AI message credits alone */
  chatbot_id: string | null
  visitor: string | null
  /** how much of the amount is not of the month */
  lifetime: ColumnType<string, number | undefined, never>
  used_at: Date
}
export interface ContactsTable extends Record<ContactField, string | null> {
  id: Generated<string>
  gid: string
  project_id: string
  chatbot_id: string | null
  custom: ColumnType<Record<string, string>, string, string>
  /** made or changed by a test, and by no visitor since */
  test: Generated<boolean>
  created_at: Date
  updated_at: Date
}
export interface ContactCallsTable {
  project_id: string
  key: string
  result: ColumnType<Json, string, never>
  created_at: Date
}
