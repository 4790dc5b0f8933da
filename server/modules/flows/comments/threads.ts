import { sql } from 'kysely'
import { mentionsIn } from '../../../../engine/values/mentions'
import { type CommentThread, commentCaps } from '../../../contracts/comments'
import type { Db } from '../../../platform/database/database'
import { ApiError } from '../../../platform/errors'
import { findPeople } from './people'
import { presentThread } from './presenter'

interface FlowPlace {
  id: string
  project_id: string
}
interface Reader {
  id: string
  gid: string
}

/** The threads of a flow as one member sees them, the newest comment first: see `listThreads`. */
export async function threadsOf(
  db: Db,
  flow: FlowPlace,
  reader: Reader,
  which: { search?: string; gid?: string } = {},
): Promise<CommentThread[]> {
  const { search, gid } = which
  const all = select(db, flow, reader)
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

/** Throws not_found for a thread that is not there, or not the flow's. */
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

export type ThreadRow = Awaited<ReturnType<ReturnType<typeof select>['execute']>>[number]

function select(db: Db, flow: FlowPlace, reader: Reader) {
  return db
    .selectFrom('comment_threads')
    .leftJoin('comment_reads', (join) =>
      join.onRef('comment_reads.thread_id', '=', 'comment_threads.id').on('comment_reads.user_id', '=', reader.id),
    )
    .innerJoinLateral(
      (from) =>
        from
          .selectFrom('comments')
          .select(['author_id', 'author_name', 'body', 'created_at'])
          .whereRef('comments.thread_id', '=', 'comment_threads.id')
          .where('comments.project_id', '=', flow.project_id)
          .orderBy('comments.id')
          .limit(1)
          .as('first'),
      (join) => join.onTrue(),
    )
    .innerJoinLateral(
      (from) =>
        from
          .selectFrom('comments')
          .select(['id', 'author_id', 'author_name', 'body', 'created_at'])
          .whereRef('comments.thread_id', '=', 'comment_threads.id')
          .where('comments.project_id', '=', flow.project_id)
          .where('comments.deleted_at', 'is', null)
          .orderBy('comments.id', 'desc')
          .limit(1)
          .as('latest'),
      (join) => join.onTrue(),
    )
    .innerJoinLateral(
      (from) =>
        from
          .selectFrom('comments')
          .select(({ fn }) => fn.countAll<string>().as('count'))
          .select(
            sql<string>`count(*) filter (where comments.id > coalesce(comment_reads.last_comment_id, 0)
              and comments.author_id is distinct from ${reader.id})`.as('unread'),
          )
          .select(sql<boolean>`bool_or(strpos(comments.body, ${`<@${reader.gid}>`}) > 0)`.as('mentions_me'))
          .whereRef('comments.thread_id', '=', 'comment_threads.id')
          .where('comments.project_id', '=', flow.project_id)
          .where('comments.deleted_at', 'is', null)
          .as('counted'),
      (join) => join.onTrue(),
    )
    .select([
      'comment_threads.gid',
      'comment_threads.anchor_kind',
      'comment_threads.anchor_id',
      'comment_threads.x',
      'comment_threads.y',
      'comment_threads.place',
      'comment_threads.resolved_at',
      'comment_threads.resolved_by',
      'comment_threads.resolved_by_name',
      'comment_reads.muted',
      'first.author_id as first_author',
      'first.author_name as first_name',
      'first.body as first_body',
      'first.created_at as first_at',
      'latest.id as latest_id',
      'latest.author_id as latest_author',
      'latest.author_name as latest_name',
      'latest.body as latest_body',
      'latest.created_at as latest_at',
      'counted.count',
      'counted.unread',
      'counted.mentions_me',
    ])
    .where('comment_threads.project_id', '=', flow.project_id)
    .where('comment_threads.flow_id', '=', flow.id)
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
