import { z } from 'zod'
import { mentionsIn, readMentions } from '../../../../engine/values/mentions'
import { languageOf } from '../../../access/languageOf'
import type { ServerContext } from '../../../platform/context'
import type { Db } from '../../../platform/database/database'
import { defineJob, type HandledJob } from '../../../platform/jobs/defineJob'
import { mailTexts } from '../../../platform/mail/texts/mailTexts'
import type { Mailer } from '../../mails/createMailer'
import { findPeople, viewersOf } from './people'

const mailComment = defineJob(
  'mail-comment',
  z.strictObject({
    comment: z.string(),
    /** gids of people mentioned by an edit; null: everybody concerned */
    to: z.array(z.string()).nullable(),
  }),
)
/** In ms: a comment edited or deleted meanwhile is mailed in its new form, or not at all. */
const MAIL_DELAY = 10_000
/** Number of earlier comments in a mail. */
const EARLIER = 3

/**
 * Schedules the mails of a comment in the transaction that stores it, so that neither its author nor a crash has to
 * wait for a server.
 */
export async function scheduleMails(
  context: Pick<ServerContext, 'clock' | 'jobs'>,
  trx: Db,
  comment: { id: string; project_id: string },
  to: readonly string[] | null = null,
): Promise<void> {
  await context.jobs.schedule(trx, mailComment, {
    payload: { comment: comment.id, to: to && [...to] },
    runAt: new Date(context.clock().getTime() + MAIL_DELAY),
    projectId: comment.project_id,
  })
}

/**
 * The job that sends them: to people mentioned and to earlier authors in the thread, if they may still see the flow and
 * have not unsubscribed; never to the author. Each gets it once, however often the job runs.
 */
export function mailComments(context: ServerContext, send: Mailer): HandledJob {
  return mailComment.handledBy(async (job, { projectId }) => {
    if (projectId === null) return undefined
    const db = context.db.forProject(projectId)
    const comment = await findComment(db, projectId, job.comment)
    // deleted meanwhile
    if (!comment) return undefined
    const before = await commentsBefore(db, projectId, comment)
    const mentioned = new Set(mentionsIn(comment.body))
    const wrote = new Set(before.map(({ author_id }) => author_id))
    const quiet = await mutedBy(db, projectId, comment.thread_id)
    const recipients = (await viewersOf(db, projectId)).filter(
      ({ id, gid }) =>
        id !== comment.author_id &&
        !quiet.has(id) &&
        (job.to ? job.to.includes(gid) && mentioned.has(gid) : mentioned.has(gid) || wrote.has(id)),
    )
    if (recipients.length === 0) return undefined
    const earlier = before.slice(-EARLIER)
    const people = await findPeople(db, projectId, {
      ids: [comment, ...earlier].map(({ author_id }) => author_id),
      gids: [comment, ...earlier].flatMap(({ body }) => mentionsIn(body)),
    })
    const said = (one: { author_id: string | null; author_name: string; body: string }) => ({
      who: people.author(one.author_id, one.author_name).name,
      text: readMentions(one.body, (gid) => people.mentioned(gid).name),
    })
    const { who, text } = said(comment)
    for (const { gid, email } of recipients) {
      const isMentioned = mentioned.has(gid)
      const language = await languageOf(db, email)
      await send({
        projectId,
        conversationId: null,
        key: `comment.${comment.gid}.${gid}`,
        purpose: 'comment',
        fromName: '',
        to: [email],
        cc: [],
        bcc: [],
        replyTo: [],
        subject: mailTexts(language).comment.subject(who, comment.chatbot, isMentioned).slice(0, 250),
        body: {
          template: 'comment',
          language,
          who,
          text,
          mentioned: isMentioned,
          chatbot: comment.chatbot,
          flow: comment.is_main ? '' : comment.flow,
          place: comment.place,
          earlier: earlier.map(said),
          link: linkTo(context.config.publicUrl, comment),
        },
      })
    }
    return undefined
  })
}

function linkTo(
  publicUrl: string,
  {
    project,
    cgid,
    fid,
    is_main,
    thread,
  }: { project: string; cgid: string; fid: string; is_main: boolean; thread: string },
): string {
  const search = new URLSearchParams({ ...(!is_main && { flow: fid }), thread })
  return `${publicUrl}/projects/${project}/chatbots/${cgid}/builder?${search}`
}

const findComment = (db: Db, projectId: string, id: string) =>
  db
    .selectFrom('comments')
    .innerJoin('comment_threads', (join) =>
      join
        .onRef('comment_threads.id', '=', 'comments.thread_id')
        .onRef('comment_threads.project_id', '=', 'comments.project_id'),
    )
    .innerJoin('flows', (join) =>
      join
        .onRef('flows.id', '=', 'comment_threads.flow_id')
        .onRef('flows.project_id', '=', 'comment_threads.project_id'),
    )
    .innerJoin('chatbots', (join) =>
      join.onRef('chatbots.id', '=', 'flows.chatbot_id').onRef('chatbots.project_id', '=', 'flows.project_id'),
    )
    .innerJoin('projects', 'projects.id', 'comments.project_id')
    .select(['comments.id', 'comments.gid', 'comments.thread_id', 'comments.author_id', 'comments.author_name'])
    .select(['comments.body', 'comment_threads.gid as thread', 'comment_threads.place'])
    .select(['flows.gid as fid', 'flows.title as flow', 'flows.is_main', 'chatbots.gid as cgid'])
    .select(['chatbots.name as chatbot', 'projects.gid as project'])
    .where('comments.id', '=', id)
    .where('comments.project_id', '=', projectId)
    .where('comments.deleted_at', 'is', null)
    .executeTakeFirst()

const commentsBefore = (db: Db, projectId: string, { id, thread_id }: { id: string; thread_id: string }) =>
  db
    .selectFrom('comments')
    .select(['author_id', 'author_name', 'body'])
    .where('thread_id', '=', thread_id)
    .where('project_id', '=', projectId)
    .where('deleted_at', 'is', null)
    .where('id', '<', id)
    .orderBy('id')
    .execute()

async function mutedBy(db: Db, projectId: string, threadId: string): Promise<Set<string>> {
  const rows = await db
    .selectFrom('comment_reads')
    .select('user_id')
    .where('thread_id', '=', threadId)
    .where('project_id', '=', projectId)
    .where('muted', '=', true)
    .execute()
  return new Set(rows.map(({ user_id }) => user_id))
}
