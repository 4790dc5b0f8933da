import { z } from 'zod'
import { continuationSchema } from '../../../contracts/web/settings'
import type { ServerContext } from '../../../platform/context'
import { type Consumer, defineConsumer } from '../../../platform/events/defineConsumer'
import { defineJob } from '../../../platform/jobs/defineJob'
import { messageCreated } from '../events'
import type { ThreadKeys } from './threadKeys'

/** Mails a conversation's answers that its visitor has not seen. */
export const mailAnswers = defineJob('mail-answers', z.strictObject({ conversation: z.string() }))

export const MINUTE = 60_000

/**
 * Schedules the mail of a person's answer on the web: those that come until it is due go along. Other channels deliver
 * each message themselves.
 */
export const noteAnswers = ({ clock, jobs }: Pick<ServerContext, 'clock' | 'jobs'>, keys: ThreadKeys): Consumer =>
  defineConsumer({
    name: 'answers-by-mail',
    events: [messageCreated],
    byMembers: [messageCreated],
    since: 'now',
    async handle(work, { projectId, at, payload: { conversation, environment } }) {
      if (environment !== 'production' && environment !== 'sharing') return
      const row = await work
        .selectFrom('conversations')
        .leftJoin('web_chats', 'web_chats.chatbot_id', 'conversations.chatbot_id')
        .select(['conversations.id', 'web_chats.continuation'])
        .where('conversations.gid', '=', conversation)
        .where('conversations.project_id', '=', projectId)
        .where('channel', '=', 'web')
        .executeTakeFirst()
      if (!row) return
      const { enabled, delay_minutes } = continuationSchema.parse(row.continuation ?? {})
      if (!enabled) return
      const place = { projectId, conversationId: row.id }
      await work
        .insertInto('mail_threads')
        .values({ conversation_id: row.id, project_id: projectId, ...keys.make(place), created_at: clock() })
        .onConflict((known) => known.column('conversation_id').doNothing())
        .execute()
      await jobs.schedule(work, mailAnswers, {
        key: row.id,
        payload: { conversation: row.id },
        runAt: new Date(at.getTime() + delay_minutes * MINUTE),
        projectId,
        // the first answer decides when
        keep: true,
      })
    },
  })
