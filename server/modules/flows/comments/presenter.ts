import { readMentions } from '../../../../engine/values/mentions'
import { type Anchor, type Comment, type CommentThread, commentCaps } from '../../../contracts/comments'
import type { People } from './people'
import type { CommentsTable } from './tables'
import type { ThreadRow } from './threadRows'

export function presentThread(row: ThreadRow, people: People): CommentThread {
  const excerpt = (body: string) => cut(readMentions(body, (gid) => people.mentioned(gid).name))
  return {
    gid: row.gid,
    anchor: anchorOf(row),
    place: row.place,
    first: {
      by: people.author(row.first_author, row.first_name),
      at: row.first_at.toISOString(),
      text: excerpt(row.first_body),
    },
    latest: {
      by: people.author(row.latest_author, row.latest_name),
      at: row.latest_at.toISOString(),
      text: excerpt(row.latest_body),
    },
    comments: Number(row.count),
    unread: Number(row.unread),
    mentions_me: row.mentions_me,
    resolved: row.resolved_at && {
      by: people.author(row.resolved_by, row.resolved_by_name ?? ''),
      at: row.resolved_at.toISOString(),
    },
    muted: row.muted ?? false,
  }
}

type CommentRow = Pick<
  CommentsTable,
  'gid' | 'author_id' | 'author_name' | 'body' | 'created_at' | 'edited_at' | 'deleted_at'
>

/** @param readerId the caller's */
export function presentComment(row: CommentRow, people: People, readerId: string): Comment {
  return {
    gid: row.gid,
    by: people.author(row.author_id, row.author_name),
    own: row.author_id === readerId,
    body: row.body,
    at: row.created_at.toISOString(),
    edited: row.edited_at !== null && row.deleted_at === null,
    deleted: row.deleted_at !== null,
  }
}

function anchorOf({ anchor_kind, anchor_id, x, y }: Pick<ThreadRow, 'anchor_kind' | 'anchor_id' | 'x' | 'y'>): Anchor {
  return anchor_kind === 'spot' ? { kind: 'spot', x: x ?? 0, y: y ?? 0 } : { kind: anchor_kind, id: anchor_id ?? '' }
}

function cut(text: string): string {
  const line = text.replace(/\s+/g, ' ')
  return line.length > commentCaps.excerpt ? `${line.slice(0, commentCaps.excerpt).trimEnd()}…` : line
}
