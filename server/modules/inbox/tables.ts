import type { ColumnType, Generated } from 'kysely'
import type { labelColours } from '../../contracts/inbox'

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
