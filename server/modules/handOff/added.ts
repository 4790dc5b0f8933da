import { z } from 'zod'
import type { ServerContext } from '../../platform/context'
import type { Db } from '../../platform/database/database'
import { defineJob, type HandledJob } from '../../platform/jobs/defineJob'
import type { Mailer } from '../mails/createMailer'
import { notify } from './notify'
import { peopleOf } from './people'
import { hasVisitor, readStory } from './story'

const added = defineJob('hand-off-added', z.strictObject({ conversation: z.string() }))
/** In ms: what a visitor adds within this time goes into one mail. */
export const BUNDLE = 120_000

/** Schedules a notification about what the visitor adds within two minutes. Repeatable. */
export async function scheduleAdded(
  context: { db: Db } & Pick<ServerContext, 'clock' | 'jobs'>,
  { id, gid, project_id }: { id: string; gid: string; project_id: string },
): Promise<void> {
  const { jobs } = context
  const due = new Date(context.clock().getTime() + BUNDLE)
  const runAt = await context.db.transaction().execute(async (trx) => {
    const row = await trx
      .updateTable('hand_offs')
      .set(({ fn, val }) => ({ due_at: fn.coalesce('due_at', val(due)) }))
      .where('conversation_id', '=', id)
      .where('project_id', '=', project_id)
      .returning('due_at')
      .executeTakeFirst()
    if (!row?.due_at) return null
    // replaces a running job, too: that one may have read the messages already
    await jobs.schedule(trx, added, {
      key: id,
      payload: { conversation: gid },
      runAt: row.due_at,
      projectId: project_id,
    })
    return row.due_at
  })
  if (runAt) jobs.wake(runAt)
}

/** The job that mails additions: each message in one mail, however often it runs. */
export function mailAdded(context: ServerContext, send: Mailer): HandledJob {
  const { config, ids } = context
  return added.handledBy(async (payload, { projectId }) => {
    if (projectId === null) return undefined
    const db = context.db.forProject(projectId)
    const conversation = await db
      .selectFrom('conversations')
      .select(['id', 'gid', 'project_id'])
      .where('gid', '=', payload.conversation)
      .where('project_id', '=', projectId)
      .executeTakeFirst()
    if (!conversation) return undefined
    const { id, project_id } = conversation
    const present = await claim(db, { id, project_id, key: ids() })
    if (!present) return undefined
    const { mailed_seq, mailing_seq, mailing_key, ...told } = present
    const story = await readStory(db, {
      conversationId: id,
      projectId: project_id,
      after: mailed_seq,
      upTo: mailing_seq,
    })
    const done = (mailed: number) => settle(db, { id, project_id }, mailed)
    if (!hasVisitor(story)) return done(mailing_seq)
    const people = await peopleOf(db, project_id, told.addresses)
    const notice = { conversation, people, story, key: `${conversation.gid}.${mailing_key}`, isFirst: false }
    const { notified } = await notify({ db, config, send }, { ...notice, ...told })
    // the next attempt is a new mail: this one is in the outbox as failed
    await done(notified > 0 || people.length === 0 ? mailing_seq : mailed_seq)
    if (notified === 0 && people.length > 0) throw new Error('Nobody could be mailed what a visitor has added.')
    return undefined
  })
}

type Place = { id: string; project_id: string }

/** Claims all messages so far for one mail; a mail interrupted by a crash is sent first, unchanged. */
async function claim(db: Db, { id, project_id, key }: Place & { key: string }) {
  return db.transaction().execute(async (trx) => {
    const row = await trx
      .selectFrom('hand_offs')
      .innerJoin('conversations', (join) =>
        join
          .onRef('conversations.id', '=', 'hand_offs.conversation_id')
          .onRef('conversations.project_id', '=', 'hand_offs.project_id'),
      )
      .select(['team', 'note', 'addresses', 'email', 'test', 'mailed_seq', 'mailing_seq', 'mailing_key', 'last_seq'])
      .where('conversation_id', '=', id)
      .where('hand_offs.project_id', '=', project_id)
      .forUpdate('hand_offs')
      .executeTakeFirst()
    if (!row) return null
    const { last_seq, mailing_seq, mailing_key, ...rest } = row
    if (mailing_seq !== null && mailing_key !== null) return { ...rest, mailing_seq, mailing_key }
    await trx
      .updateTable('hand_offs')
      .set({ mailing_seq: last_seq, mailing_key: key, due_at: null })
      .where('conversation_id', '=', id)
      .where('project_id', '=', project_id)
      .execute()
    return { ...rest, mailing_seq: last_seq, mailing_key: key }
  })
}

const settle = async (db: Db, { id, project_id }: Place, mailed: number): Promise<undefined> => {
  await db
    .updateTable('hand_offs')
    .set({ mailed_seq: mailed, mailing_seq: null, mailing_key: null })
    .where('conversation_id', '=', id)
    .where('project_id', '=', project_id)
    .execute()
}
