import type { ColumnType, Generated } from 'kysely'
import type { labelColours } from '../../contracts/inbox'
import type { KeptView } from '../../contracts/inboxViews'
import type { Office } from '../../contracts/office'

declare module '../../platform/database/tables' {
  interface Database {
    labels: LabelsTable
    conversation_labels: ConversationLabelsTable
    teams: TeamsTable
    team_members: TeamMembersTable
    conversation_notes: ConversationNotesTable
    note_mentions: NoteMentionsTable
    conversation_activity: ConversationActivityTable
    saved_replies: SavedRepliesTable
    inbox_settings: InboxSettingsTable
    inbox_views: InboxViewsTable
    conversation_targets: ConversationTargetsTable
    corrected_messages: CorrectedMessagesTable
    message_translations: MessageTranslationsTable
  }
}

export interface LabelsTable {
  id: Generated<string>
  gid: string
  project_id: string
  name: string
  color: (typeof labelColours)[number]
  created_at: Date
}
export interface ConversationLabelsTable {
  conversation_id: string
  project_id: string
  label_id: string
}
export interface TeamsTable {
  id: Generated<string>
  gid: string
  project_id: string
  name: string
  /** who gets a conversation that is handed to the team */
  assignment: 'manual' | 'round_robin' | 'least_busy'
  office: ColumnType<Partial<Office>, string | undefined, string>
  created_at: Date
}
export interface TeamMembersTable {
  team_id: string
  project_id: string
  user_id: string
  /** when a conversation was last assigned to them in turn */
  assigned_at: Generated<Date | null>
}
/** What people tell each other about a conversation. */
export interface ConversationNotesTable {
  id: Generated<string>
  gid: string
  project_id: string
  conversation_id: string
  author_id: string | null
  author_name: string
  client_id: string
  /** with mentions as `<@gid>` */
  body: string
  /** the number of the message that it stands behind */
  after_seq: number
  created_at: Date
}
export interface NoteMentionsTable {
  note_id: string
  project_id: string
  user_id: string
  conversation_id: string
}
/** What happened to a conversation beside its messages, from the event log. */
export interface ConversationActivityTable {
  id: Generated<string>
  project_id: string
  conversation_id: string
  kind: string
  user_id: string | null
  subject_id: string | null
  detail: string | null
  after_seq: number
  at: ColumnType<Date, Date, never>
}
/** What a member keeps under a name: a view with its filters. */
export interface InboxViewsTable {
  id: Generated<string>
  gid: string
  project_id: string
  /** who keeps it; null: a former member, whose shared ones stay */
  user_id: string | null
  /** who sees it beside */
  shared: Generated<'team' | 'everybody' | null>
  team_id: Generated<string | null>
  name: string
  view: KeptView['view']
  filters: ColumnType<KeptView['filters'], string, string>
  created_at: Date
}
export interface InboxSettingsTable {
  project_id: string
  office: ColumnType<Partial<Office>, string, string>
  updated_at: Date
}
/** By when a visitor's conversation with people is to be answered and resolved. */
export interface ConversationTargetsTable {
  conversation_id: string
  project_id: string
  /** since when people are to answer */
  started_at: Date
  answered_at: Date | null
  /** closed, or given back to the bot */
  resolved_at: Date | null
  answer_due_at: Date | null
  resolution_due_at: Date | null
  /** what is due next; null: nothing */
  due_at: ColumnType<Date | null, never, never>
}
/** Answers of the bot that a member corrected. */
export interface CorrectedMessagesTable {
  conversation_id: string
  project_id: string
  seq: number
  /** what says it right; null: it was deleted */
  source_id: string | null
  corrected_by: string | null
  corrected_at: Date
}
/** Messages in members' own languages. */
export interface MessageTranslationsTable {
  conversation_id: string
  project_id: string
  seq: number
  language: string
  text: string
  created_at: Date
}
export interface SavedRepliesTable {
  id: Generated<string>
  gid: string
  project_id: string
  shortcut: string
  /** Markdown, with variables as `{{name}}` */
  body: string
  created_at: Date
  updated_at: Date
}
