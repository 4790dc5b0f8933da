import type { ColumnType, Generated } from 'kysely'
import type { StartEvent } from '../../engine/flow/defineBlock'
import type { BotMessage, Reply } from '../../engine/flow/effects'
import type { Flow } from '../../engine/flow/schema'
import type { RecordedAnswer, Recording } from '../../engine/run/recordingFormat'
import type { Place, Session, TraceStep, TurnResult } from '../../engine/run/session'
import type { ContactField } from '../../engine/values/contactFields'
import type { Json } from '../../engine/values/json'
import type { TurnPath } from '../statistics/turnPath'
import type { ActionTables } from './actionTables'
import type { AiTables } from './aiTables'
import type { ApiKeyTables } from './apiKeyTables'
import type { InstructionTables } from './instructionTables'
import type { KnowledgeTables } from './knowledgeTables'
import type { ToolServerTables } from './toolServerTables'

/** Rows as Kysely sees them, table by table; bigint ids are strings, as the driver gives them. */
export interface Database
  extends KnowledgeTables,
    InstructionTables,
    AiTables,
    ActionTables,
    ApiKeyTables,
    ToolServerTables {
  installation: InstallationTable
  users: UsersTable
  sessions: SessionsTable
  user_settings: UserSettingsTable
  projects: ProjectsTable
  project_members: ProjectMembersTable
  invitations: InvitationsTable
  password_resets: PasswordResetsTable
  chatbots: ChatbotsTable
  flows: FlowsTable
  flow_updates: FlowUpdatesTable
  flow_snapshots: FlowSnapshotsTable
  flow_versions: FlowVersionsTable
  conversations: ConversationsTable
  messages: MessagesTable
  effects: EffectsTable
  turn_records: TurnRecordsTable
  files: FilesTable
  sent_files: SentFilesTable
  jobs: JobsTable
  mails: MailsTable
  credit_uses: CreditUsesTable
  contacts: ContactsTable
  contact_calls: ContactCallsTable
  recordings: RecordingsTable
  comment_threads: CommentThreadsTable
  comments: CommentsTable
  comment_reads: CommentReadsTable
  turn_paths: TurnPathsTable
  conversation_visits: ConversationVisitsTable
  place_visits: PlaceVisitsTable
}

/** One row: who may make the first account, and what the installation's processes call it among themselves. */
export interface InstallationTable {
  id: Generated<number>
  setup_token_hash: Buffer | null
  bus_name: Generated<string>
}
export interface UsersTable {
  id: Generated<string>
  gid: string
  /** lower case */
  email: string
  first_name: string
  last_name: string
  password_hash: string
  email_verified: Generated<boolean>
  created_at: Date
}
export interface SessionsTable {
  /** sha256 of the cookie's token */
  token_hash: Buffer
  user_id: string
  created_at: Date
  expires_at: Date
}
export interface UserSettingsTable {
  user_id: string
  onboarding_survey_completed: Generated<boolean>
  onboarding_displayed: Generated<boolean>
  hide_onboarding_checklist: Generated<boolean>
  hide_v2_upgrade_announcement: Generated<boolean>
  hide_builder_tutorial_video_popup: Generated<boolean>
  hide_contact_variables_deprecation_popup: Generated<boolean>
  show_feature_vote_1: Generated<boolean>
  default_chatbot_id: string | null
}
export interface ProjectsTable {
  id: Generated<string>
  gid: string
  name: string
  plan_id: Generated<string>
  checklist: ColumnType<Partial<Record<ChecklistKey, boolean>>, string | undefined, string>
  /** mails about credits that are used up by these shares, in per cent */
  credit_notices: Generated<boolean>
  credit_notice_thresholds: Generated<number[]>
  /** empty: the owners are told */
  credit_notice_emails: Generated<string[]>
  created_at: Date
  updated_at: Date
}
export type ChecklistKey =
  | 'dismissed'
  | 'kb'
  | 'actions'
  | 'playground'
  | 'web_customization'
  | 'web_deploy'
  | 'ai_settings'
export interface ProjectMembersTable {
  project_id: string
  user_id: string
  roles: number[]
  is_default: Generated<boolean>
  created_at: Date
}
/** Open until it is accepted, revoked or past `expires_at`. */
export interface InvitationsTable {
  id: Generated<string>
  gid: string
  project_id: string
  /** lower case */
  email: string
  roles: number[]
  /** sha256 of the token in its link */
  token_hash: Buffer
  invited_by: string | null
  created_at: Date
  expires_at: Date
  accepted_at: Generated<Date | null>
  revoked_at: Generated<Date | null>
}
export interface PasswordResetsTable {
  /** sha256 of the token in its link */
  token_hash: Buffer
  user_id: string
  created_at: Date
  expires_at: Date
  used_at: Generated<Date | null>
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
  /** credits that it may use a month; null: what the plan has */
  monthly_budget: ColumnType<string | null, number | null | undefined, number | null>
  /** credits that one visitor may use a day; null: no bound */
  visitor_budget: ColumnType<string | null, number | null | undefined, number | null>
  created_at: Date
  updated_at: Date
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
  published_at: Date | null
  published_by: string | null
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

export interface ConversationsTable {
  id: Generated<string>
  gid: string
  project_id: string
  chatbot_id: string
  flow_version_id: string
  environment: 'production' | 'sharing' | 'playground' | 'editor'
  token_hash: Buffer | null
  started_by: string | null
  state: 'running' | 'waiting' | 'ended'
  session: ColumnType<Session, string, string>
  start_event: ColumnType<StartEvent, string | undefined, never>
  pending: ColumnType<PendingReply | null, string | null, string | null>
  /** a tester's; null: none */
  pauses: ColumnType<Pauses | null, string | null | undefined, string | null>
  last_seq: Generated<number>
  turns: Generated<number>
  start_client_id: string
  /** sha256 of the id that the visitor's browser keeps; null for testers, and where it keeps none */
  visitor_hash: Generated<Buffer | null>
  /** the visit in which it began, named by the visitor's browser */
  visit: Generated<string | null>
  last_client_id: string | null
  created_at: Date
  updated_at: Date
  /** null: no person was asked for */
  handed_over_at: Date | null
  hand_off_team: string | null
  hand_off_note: string | null
}
/** What a turn that was cut works on: `reply` null for the turn that starts a conversation. */
export interface PendingReply {
  reply: Reply | null
}
export interface MessagesTable {
  conversation_id: string
  project_id: string
  seq: number
  author: 1 | 2
  content: ColumnType<BotMessage, string, never>
  block_id: string | null
  client_id: string | null
  created_at: Date
}
export interface EffectsTable {
  conversation_id: string
  project_id: string
  turn: number
  position: number
  type: 'now' | 'random' | 'call'
  key: string | null
  request: ColumnType<Json, string | null, never>
  status: 'started' | 'done'
  result: ColumnType<Json, string | null, string | null>
  created_at: Date
}
export interface TurnRecordsTable {
  conversation_id: string
  project_id: string
  turn: number
  trace: ColumnType<TraceStep[], string, never>
  variables: ColumnType<Record<string, Json>, string, never>
  stopped: ColumnType<TurnResult['stopped'], string | null, never>
  /** null for visitors, and for testers' turns of before there were tests */
  heard: ColumnType<HeardTurn | null, string | null, never>
  /** what testers go back to: the session after it, and its last message; null as `heard` */
  session: ColumnType<Session | null, string | null, never>
  last_seq: Generated<number | null>
  /** how long it took in ms, calls outside included */
  took: Generated<number | null>
  created_at: Date
}
/** What a tester's turn got from outside; `variables` for the first turn alone: what the host knew. */
export interface HeardTurn {
  reply: Reply | null
  variables: Record<string, Json> | null
  answers: RecordedAnswer[]
  /** how long calls took, by the place of their answer, in ms; none of those that were made before a crash */
  took?: Record<number, number>
  /** it went on from a pause, and nobody replied */
  continued?: true
  /** values that the tester set by hand: at the start, or in a turn of their own */
  set?: Record<string, Json>
  /** for the first turn: where it began instead of at a trigger */
  from?: Place
}
/** Before which blocks a tester's turn ends. */
export interface Pauses {
  /** before each one */
  step: boolean
  at: Pick<Place, 'flowId' | 'blockId'>[]
}
/** A conversation kept as a test. */
export interface RecordingsTable {
  id: Generated<string>
  gid: string
  project_id: string
  chatbot_id: string
  name: string
  /** without the name, which may be changed */
  recording: ColumnType<Omit<Recording, 'name'>, string, string>
  created_by: string | null
  created_at: Date
}
/** What a thread of comments is pinned to: an element of the flow, or a spot of its canvas. */
export interface CommentThreadsTable {
  id: Generated<string>
  gid: string
  project_id: string
  flow_id: string
  anchor_kind: 'group' | 'block' | 'spot'
  /** the group's or the block's; null for a spot */
  anchor_id: string | null
  x: number | null
  y: number | null
  /** what it was called when the thread was begun */
  place: string
  created_at: Date
  resolved_at: Date | null
  resolved_by: string | null
  /** what is left of whoever resolved it once the account is gone */
  resolved_by_name: string | null
}
export interface CommentsTable {
  id: Generated<string>
  gid: string
  project_id: string
  thread_id: string
  author_id: string | null
  /** what is left of the author once the account is gone */
  author_name: string
  /** the sender's own name for it */
  client_id: string
  /** with mentions; empty once it is deleted */
  body: string
  created_at: Date
  edited_at: Date | null
  deleted_at: Date | null
}
export interface CommentReadsTable {
  project_id: string
  thread_id: string
  user_id: string
  /** the last one that was read, and all before it */
  last_comment_id: ColumnType<string, string | undefined, string>
  muted: Generated<boolean>
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
export interface SentFilesTable {
  id: Generated<string>
  gid: string
  project_id: string
  conversation_id: string
  turn: number
  /** names the bytes in the file store */
  sha256: string
  media_type: string
  bytes: number
  name: string
  /** when a reply named it; null: it was only uploaded */
  sent_at: Generated<Date | null>
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
  created_at: Date
  updated_at: Date
}
export interface ContactCallsTable {
  project_id: string
  key: string
  result: ColumnType<Json, string, never>
  created_at: Date
}
/** What visitors' turns add to the statistics, until it is counted. */
export interface TurnPathsTable {
  conversation_id: string
  project_id: string
  chatbot_id: string
  turn: number
  path: ColumnType<TurnPath, string, never>
  at: Date
}
/** How far a visitor's conversation came. */
export interface ConversationVisitsTable {
  conversation_id: string
  project_id: string
  chatbot_id: string
  flow_version_id: string
  environment: 'production' | 'sharing'
  /** YYYY-MM-DD, in UTC */
  day: ColumnType<string, string, string>
  status: TurnPath['status']
  /** '' is the main flow */
  flow: string | null
  group_id: string | null
  block_id: string | null
  last_at: Date
  replies: number
  places: string[]
}
/** How often a group was entered, an edge taken. */
export interface PlaceVisitsTable {
  project_id: string
  chatbot_id: string
  flow_version_id: string
  environment: 'production' | 'sharing'
  day: ColumnType<string, string, string>
  flow: string
  kind: 'group' | 'edge'
  place: string
  conversations: number
  visits: number
}
