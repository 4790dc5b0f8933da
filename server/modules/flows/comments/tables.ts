import type { ColumnType, Generated } from 'kysely'

/** Rows of comments (migration 0018). */
declare module '../../../platform/database/tables' {
  interface Database {
    comment_threads: CommentThreadsTable
    comments: CommentsTable
    comment_reads: CommentReadsTable
  }
}

/** A thread of comments, pinned to an element of the flow or to a position on its canvas. */
export interface CommentThreadsTable {
  id: Generated<string>
  gid: string
  project_id: string
  flow_id: string
  anchor_kind: 'group' | 'block' | 'spot'
  /** of the group or block; null for a position */
  anchor_id: string | null
  x: number | null
  y: number | null
  /** its name when the thread was started */
  place: string
  created_at: Date
  resolved_at: Date | null
  resolved_by: string | null
  /** the remaining name if the account was deleted */
  resolved_by_name: string | null
}
export interface CommentsTable {
  id: Generated<string>
  gid: string
  project_id: string
  thread_id: string
  author_id: string | null
  /** the remaining name if the account was deleted */
  author_name: string
  /** the client's id for it, against duplicates */
  client_id: string
  /** with mentions; empty after deletion */
  body: string
  created_at: Date
  edited_at: Date | null
  deleted_at: Date | null
}
export interface CommentReadsTable {
  project_id: string
  thread_id: string
  user_id: string
  /** the last read comment; all before it are read, too */
  last_comment_id: ColumnType<string, string | undefined, string>
  muted: Generated<boolean>
}
