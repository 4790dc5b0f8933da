import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { mentionsIn } from '../../../../engine/values/mentions'
import type { ProjectCaller } from '../../../access/access'
import { findFlow } from '../../../access/findFlow'
import { registerRoute } from '../../../access/register'
import { Role } from '../../../access/roles'
import * as contract from '../../../contracts/comments'
import type { ServerContext } from '../../../platform/context'
import { ApiError } from '../../../platform/errors'
import type { Documents } from '../collab/documents'
import { findPeople, nameOf, viewersOf } from './people'
import { presentComment } from './presenter'
import { findThread, threadsOf } from './threads'
import { beginThread, changeComment, markRead, removeComment, reply } from './writeComment'

type Params = { cgid: string; fid: string }

/** Routes for comments on a flow. Everybody with the open flow is notified of changes, and reloads. */
export function registerComments(app: FastifyInstance, context: ServerContext, documents: Documents): void {
  const { clock } = context

  const flowOf = (caller: ProjectCaller, params: Params) => findFlow(caller, caller.project.id, params)
  const threadOf = async (caller: ProjectCaller, params: Params & { gid: string }) => {
    const flow = await flowOf(caller, params)
    return { flow, thread: await findThread(caller.db, flow, params.gid) }
  }
  /** Throws not_found unless the comment exists in one of the flow's threads. */
  const commentOf = async (caller: ProjectCaller, params: Params & { gid: string }) => {
    const flow = await flowOf(caller, params)
    const comment = await caller.db
      .selectFrom('comments')
      .innerJoin('comment_threads', (join) =>
        join
          .onRef('comment_threads.id', '=', 'comments.thread_id')
          .onRef('comment_threads.project_id', '=', 'comments.project_id'),
      )
      .select(['comments.id', 'comments.project_id', 'comments.thread_id', 'comments.author_id', 'comments.body'])
      .where('comments.gid', '=', params.gid)
      .where('comment_threads.flow_id', '=', flow.id)
      .where('comments.deleted_at', 'is', null)
      .executeTakeFirst()
    if (!comment) throw new ApiError('not_found')
    return { flow, comment }
  }
  /** Call after the commit. Its mails are due a little later, and found by then. */
  const changed = (flow: { id: string; project_id: string }) =>
    documents.announce({ id: flow.id, projectId: flow.project_id }, 'comments')

  registerRoute(app, context, contract.listThreads, async ({ params, query, caller }) => {
    const search = query.search?.trim()
    return { threads: await threadsOf(caller.db, await flowOf(caller, params), caller.user, search ? { search } : {}) }
  })

  registerRoute(app, context, contract.readThread, async ({ params, caller }) => {
    const { flow, thread } = await threadOf(caller, params)
    const [[present], rows] = await Promise.all([
      threadsOf(caller.db, flow, caller.user, { gid: params.gid }),
      caller.db
        .selectFrom('comments')
        .select(['gid', 'author_id', 'author_name', 'body', 'created_at', 'edited_at', 'deleted_at'])
        .where('thread_id', '=', thread.id)
        .orderBy('id')
        .execute(),
    ])
    if (!present) throw new ApiError('not_found')
    const gids = [...new Set(rows.flatMap(({ body }) => mentionsIn(body)))]
    const people = await findPeople(caller.db, flow.project_id, { ids: rows.map(({ author_id }) => author_id), gids })
    return {
      thread: present,
      comments: rows.map((row) => presentComment(row, people, caller.user.id)),
      mentioned: gids.map(people.mentioned),
      moderates: moderates(caller),
    }
  })

  registerRoute(app, context, contract.listMentionable, async ({ params, caller }) => {
    const flow = await flowOf(caller, params)
    const people = await viewersOf(caller.db, flow.project_id)
    return { people: people.map((person) => ({ gid: person.gid, name: nameOf(person) })) }
  })

  registerRoute(app, context, contract.createThread, async ({ params, body, caller }) => {
    const flow = await flowOf(caller, params)
    const thread = await beginThread(context, flow, caller, body)
    changed(flow)
    return { thread }
  })

  registerRoute(app, context, contract.replyToThread, async ({ params, body, caller }) => {
    const { flow, thread } = await threadOf(caller, params)
    const comment = await reply(context, thread, caller, body)
    changed(flow)
    return { comment }
  })

  registerRoute(app, context, contract.editComment, async ({ params, body, caller }) => {
    const { flow, comment } = await commentOf(caller, params)
    await changeComment(context, comment, caller, body.body)
    changed(flow)
    return {}
  })

  registerRoute(app, context, contract.deleteComment, async ({ params, caller }) => {
    const { flow, comment } = await commentOf(caller, params)
    if (comment.author_id !== caller.user.id && !moderates(caller)) throw new ApiError('forbidden')
    const thread_gone = await removeComment(context, caller, comment)
    changed(flow)
    return { thread_gone }
  })

  const settle = async (caller: ProjectCaller, params: Params & { gid: string }, resolved: boolean) => {
    const { flow, thread } = await threadOf(caller, params)
    // a second resolver does not replace the first
    if ((thread.resolved_at !== null) === resolved) return {}
    await caller.db
      .updateTable('comment_threads')
      .set({
        resolved_at: resolved ? clock() : null,
        resolved_by: resolved ? caller.user.id : null,
        resolved_by_name: resolved ? nameOf(caller.user) : null,
      })
      .where('id', '=', thread.id)
      .execute()
    changed(flow)
    return {}
  }
  registerRoute(app, context, contract.resolveThread, ({ params, caller }) => settle(caller, params, true))
  registerRoute(app, context, contract.reopenThread, ({ params, caller }) => settle(caller, params, false))

  registerRoute(app, context, contract.markThreadRead, async ({ params, body, caller }) => {
    const { thread } = await threadOf(caller, params)
    const comment = await caller.db
      .selectFrom('comments')
      .select('id')
      .where('gid', '=', body.through)
      .where('thread_id', '=', thread.id)
      .executeTakeFirst()
    if (!comment) throw new ApiError('not_found')
    await markRead(caller.db, thread, caller.user.id, comment.id)
    return {}
  })

  registerRoute(app, context, contract.markAllThreadsRead, async ({ params, caller }) => {
    const flow = await flowOf(caller, params)
    await sql`insert into comment_reads (project_id, thread_id, user_id, last_comment_id)
      select comments.project_id, comments.thread_id, ${caller.user.id}, max(comments.id)
      from comments
        join comment_threads on comment_threads.id = comments.thread_id
          and comment_threads.project_id = comments.project_id
      where comment_threads.flow_id = ${flow.id} and comments.project_id = ${flow.project_id}
      group by comments.project_id, comments.thread_id
      on conflict (thread_id, user_id) do update
        set last_comment_id = greatest(comment_reads.last_comment_id, excluded.last_comment_id)`.execute(caller.db)
    return {}
  })

  registerRoute(app, context, contract.muteThread, async ({ params, body, caller }) => {
    const { thread } = await threadOf(caller, params)
    await caller.db
      .insertInto('comment_reads')
      .values({ project_id: thread.project_id, thread_id: thread.id, user_id: caller.user.id, muted: body.muted })
      .onConflict((conflict) => conflict.columns(['thread_id', 'user_id']).doUpdateSet({ muted: body.muted }))
      .execute()
    return {}
  })
}

/** Whether the caller may delete others' comments. */
const moderates = ({ roles }: ProjectCaller): boolean =>
  roles.some((role) => role === Role.OWNER || role === Role.ADMIN)
