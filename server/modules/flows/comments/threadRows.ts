import { sql } from 'kysely'
import type { Db } from '../../../platform/database/database'

/** A flow's comment threads with their first and latest comments, and what `reader` has not read of them. */
export function selectThreads(db: Db, flow: FlowPlace, reader: Reader) {
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

export type ThreadRow = Awaited<ReturnType<ReturnType<typeof selectThreads>['execute']>>[number]

export interface FlowPlace {
  id: string
  project_id: string
}

export interface Reader {
  id: string
  gid: string
}
