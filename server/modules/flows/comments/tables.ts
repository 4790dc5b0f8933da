import type { ColumnType, Generated } from 'kysely'

/** Rows of what people say about a flow (migration 0018). */
declare module '../../../platform/database/tables' {
  interface Database {
    comment_threads: CommentThreadsTable
    comments: CommentsTable
    comment_reads: CommentReadsTable
  }
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
