import { sql } from 'kysely'
import { mentionsIn } from '../../../../engine/values/mentions'
import { type CommentThread, commentCaps } from '../../../contracts/comments'
import type { Db } from '../../../platform/database/database'
import { ApiError } from '../../../platform/errors'
import { findPeople } from './people'
import { presentThread } from './presenter'
import { type FlowPlace, type Reader, selectThreads } from './threadRows'

/** A flow's threads as one member sees them, latest comment first: see `listThreads`. */
export async function threadsOf(
  db: Db,
  flow: FlowPlace,
  reader: Reader,
  which: { search?: string; gid?: string } = {},
): Promise<CommentThread[]> {
  const { search, gid } = which
  const all = selectThreads(db, flow, reader)
  const rows =
    gid !== undefined
      ? await all.where('comment_threads.gid', '=', gid).execute()
      : search
        ? await all.where(contains(search)).orderBy('latest.id', 'desc').limit(commentCaps.resolvedListed).execute()
        : [
            ...(await all.where('comment_threads.resolved_at', 'is', null).execute()),
            ...(await all
              .where('comment_threads.resolved_at', 'is not', null)
              .orderBy('latest.id', 'desc')
              .limit(commentCaps.resolvedListed)
              .execute()),
          ].sort((a, b) => Number(BigInt(b.latest_id) - BigInt(a.latest_id)))
  const people = await findPeople(db, flow.project_id, {
    ids: rows.flatMap((row) => [row.first_author, row.latest_author, row.resolved_by]),
    gids: rows.flatMap((row) => mentionsIn(row.first_body + row.latest_body)),
  })
  return rows.map((row) => presentThread(row, people))
}

/** Throws not_found unless the flow has the thread. */
export async function findThread(db: Db, flow: FlowPlace, gid: string) {
  const row = await db
    .selectFrom('comment_threads')
    .selectAll()
    .where('gid', '=', gid)
    .where('project_id', '=', flow.project_id)
    .where('flow_id', '=', flow.id)
    .executeTakeFirst()
  if (!row) throw new ApiError('not_found')
  return row
}

/** In the words of a comment, in its author's name, or in what the thread is pinned to. */
function contains(search: string) {
  const pattern = `%${search.replace(/[\\%_]/g, '\\$&')}%`
  return sql<boolean>`(comment_threads.place ilike ${pattern} or exists (
    select from comments
      left join users on users.id = comments.author_id
    where comments.thread_id = comment_threads.id and comments.project_id = comment_threads.project_id
      and comments.deleted_at is null
      and (comments.body ilike ${pattern} or comments.author_name ilike ${pattern}
        or users.first_name || ' ' || users.last_name ilike ${pattern})))`
}
