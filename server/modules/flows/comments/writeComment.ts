import type { Transaction } from 'kysely'
import { cleanText } from '../../../../engine/values/cleanText'
import { mentionsIn } from '../../../../engine/values/mentions'
import type { ProjectCaller } from '../../../access/access'
import { type Anchor, commentCaps } from '../../../contracts/comments'
import type { ServerContext } from '../../../platform/context'
import type { Db } from '../../../platform/database/database'
import type { Database } from '../../../platform/database/tables'
import { ApiError, fieldError } from '../../../platform/errors'
import { scheduleMails } from './mails'
import { nameOf, viewersOf } from './people'

interface FlowPlace {
  id: string
  project_id: string
}
type Context = Pick<ServerContext, 'clock' | 'ids' | 'jobs'>
type Sent = { body: string; client_id: string }

/**
 * Starts a thread with its first comment; sending the same comment again returns the same thread.
 * @throws ApiError invalid if the flow has too many open threads
 */
export async function beginThread(
  context: Context,
  flow: FlowPlace,
  { user, db }: ProjectCaller,
  sent: Sent & { anchor: Anchor; place: string },
): Promise<string> {
  const { ids, clock } = context
  const body = await checkedBody(db, flow.project_id, sent.body)
  return db.transaction().execute(async (trx) => {
    // serializes concurrent calls, so that the limit holds
    await trx
      .selectFrom('flows')
      .select('id')
      .where('id', '=', flow.id)
      .where('project_id', '=', flow.project_id)
      .forNoKeyUpdate()
      .executeTakeFirst()
    const known = await sentBefore(trx, flow.project_id, user.id, sent.client_id)
    if (known) return known.thread
    const { count } = await trx
      .selectFrom('comment_threads')
      .select(({ fn }) => fn.countAll<string>().as('count'))
      .where('flow_id', '=', flow.id)
      .where('project_id', '=', flow.project_id)
      .where('resolved_at', 'is', null)
      .executeTakeFirstOrThrow()
    if (Number(count) >= commentCaps.openThreads) {
      throw new ApiError('invalid', {
        message: 'A flow can have 2,000 open threads. Resolve some first.',
      })
    }
    const { anchor } = sent
    const { id, gid } = await trx
      .insertInto('comment_threads')
      .values({
        gid: ids(),
        project_id: flow.project_id,
        flow_id: flow.id,
        anchor_kind: anchor.kind,
        anchor_id: anchor.kind === 'spot' ? null : anchor.id,
        x: anchor.kind === 'spot' ? anchor.x : null,
        y: anchor.kind === 'spot' ? anchor.y : null,
        place: cleanText(sent.place),
        created_at: clock(),
      })
      .returning(['id', 'gid'])
      .executeTakeFirstOrThrow()
    await insert(context, trx, { id, project_id: flow.project_id }, user, { ...sent, body })
    return gid
  })
}

/**
 * Adds a comment to a thread and reopens it; sending the same comment again returns the existing one.
 * @throws ApiError invalid if the thread has too many comments
 */
export async function reply(
  context: Context,
  thread: { id: string; project_id: string },
  { user, db }: ProjectCaller,
  sent: Sent,
): Promise<string> {
  const body = await checkedBody(db, thread.project_id, sent.body)
  return db.transaction().execute(async (trx) => {
    await lockThread(trx, thread)
    const known = await sentBefore(trx, thread.project_id, user.id, sent.client_id)
    if (known) return known.gid
    const { count } = await trx
      .selectFrom('comments')
      .select(({ fn }) => fn.countAll<string>().as('count'))
      .where('thread_id', '=', thread.id)
      .where('project_id', '=', thread.project_id)
      .executeTakeFirstOrThrow()
    if (Number(count) >= commentCaps.comments) {
      throw new ApiError('invalid', { message: 'A thread can have 1,000 comments. Start a new one.' })
    }
    await trx
      .updateTable('comment_threads')
      .set({ resolved_at: null, resolved_by: null, resolved_by_name: null })
      .where('id', '=', thread.id)
      .where('project_id', '=', thread.project_id)
      .where('resolved_at', 'is not', null)
      .execute()
    return insert(context, trx, thread, user, { ...sent, body })
  })
}

/**
 * Edits one's own comment; newly mentioned people get a mail. @throws ApiError not_found, forbidden for somebody else's
 */
export async function changeComment(
  context: Context,
  comment: { id: string; project_id: string; author_id: string | null; body: string },
  { user, db }: ProjectCaller,
  text: string,
): Promise<void> {
  if (comment.author_id !== user.id) throw new ApiError('forbidden')
  const before = mentionsIn(comment.body)
  const body = await checkedBody(db, comment.project_id, text, before)
  if (body === comment.body) return
  await db.transaction().execute(async (trx) => {
    await trx
      .updateTable('comments')
      .set({ body, edited_at: context.clock() })
      .where('id', '=', comment.id)
      .where('project_id', '=', comment.project_id)
      .where('deleted_at', 'is', null)
      .execute()
    const added = mentionsIn(body).filter((gid) => !before.includes(gid))
    if (added.length > 0) await scheduleMails(context, trx, comment, added)
  })
}

/**
 * Deletes a comment's text; others stay. A thread without comments is deleted with its last.
 * @returns whether the thread is gone
 */
export async function removeComment(
  { clock }: Context,
  { db }: ProjectCaller,
  comment: { id: string; thread_id: string; project_id: string },
): Promise<boolean> {
  const thread = { id: comment.thread_id, project_id: comment.project_id }
  return db.transaction().execute(async (trx) => {
    await lockThread(trx, thread)
    await trx
      .updateTable('comments')
      .set({ body: '', deleted_at: clock() })
      .where('id', '=', comment.id)
      .where('project_id', '=', comment.project_id)
      .where('deleted_at', 'is', null)
      .execute()
    const left = await trx
      .selectFrom('comments')
      .select('id')
      .where('thread_id', '=', thread.id)
      .where('project_id', '=', thread.project_id)
      .where('deleted_at', 'is', null)
      .limit(1)
      .executeTakeFirst()
    if (left) return false
    await trx
      .deleteFrom('comment_threads')
      .where('id', '=', thread.id)
      .where('project_id', '=', thread.project_id)
      .execute()
    return true
  })
}

/** Moves the caller's read mark in a thread forward. */
export async function markRead(
  db: Db,
  thread: { id: string; project_id: string },
  userId: string,
  commentId: string,
): Promise<void> {
  await db
    .insertInto('comment_reads')
    .values({ project_id: thread.project_id, thread_id: thread.id, user_id: userId, last_comment_id: commentId })
    .onConflict((conflict) =>
      conflict.columns(['thread_id', 'user_id']).doUpdateSet(({ fn, ref }) => ({
        last_comment_id: fn<string>('greatest', [
          ref('comment_reads.last_comment_id'),
          ref('excluded.last_comment_id'),
        ]),
      })),
    )
    .execute()
}

async function insert(
  context: Context,
  trx: Transaction<Database>,
  thread: { id: string; project_id: string },
  user: ProjectCaller['user'],
  { body, client_id }: Sent,
): Promise<string> {
  const comment = await trx
    .insertInto('comments')
    .values({
      gid: context.ids(),
      project_id: thread.project_id,
      thread_id: thread.id,
      author_id: user.id,
      author_name: nameOf(user),
      client_id,
      body,
      created_at: context.clock(),
    })
    .returning(['id', 'gid'])
    .executeTakeFirstOrThrow()
  await markRead(trx, thread, user.id, comment.id)
  await scheduleMails(context, trx, { id: comment.id, project_id: thread.project_id })
  return comment.gid
}

/** The body to store. @throws ApiError if it mentions somebody who may not see the flow, unless it did before */
async function checkedBody(db: Db, projectId: string, text: string, before: readonly string[] = []): Promise<string> {
  const body = cleanText(text)
  const added = mentionsIn(body).filter((gid) => !before.includes(gid))
  if (added.length === 0) return body
  const allowed = new Set((await viewersOf(db, projectId)).map(({ gid }) => gid))
  if (added.some((gid) => !allowed.has(gid))) {
    throw fieldError('body', 'Somebody you mention may not see this flow. Mention members of the project who may.')
  }
  return body
}

/** @throws ApiError not_found if it was deleted meanwhile */
async function lockThread(trx: Transaction<Database>, { id, project_id }: { id: string; project_id: string }) {
  const row = await trx
    .selectFrom('comment_threads')
    .select('id')
    .where('id', '=', id)
    .where('project_id', '=', project_id)
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw new ApiError('not_found')
}

const sentBefore = (trx: Transaction<Database>, projectId: string, userId: string, clientId: string) =>
  trx
    .selectFrom('comments')
    .innerJoin('comment_threads', (join) =>
      join
        .onRef('comment_threads.id', '=', 'comments.thread_id')
        .onRef('comment_threads.project_id', '=', 'comments.project_id'),
    )
    .select(['comments.gid', 'comment_threads.gid as thread'])
    .where('comments.project_id', '=', projectId)
    .where('comments.author_id', '=', userId)
    .where('comments.client_id', '=', clientId)
    .executeTakeFirst()
