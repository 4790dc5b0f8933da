import { z } from 'zod'
import type { ServerContext } from '../../platform/context'
import { appendEvent } from '../../platform/events/defineEvent'
import { defineJob, type HandledJob } from '../../platform/jobs/defineJob'
import { conversationSnoozed } from './events'

/** Brings a snoozed conversation back among the open ones. */
export const wakeConversation = defineJob('wake-conversation', z.strictObject({ conversation: z.string() }))

/** Repeatable: what was woken before, or snoozed for longer since, stays as it is. */
export const wakesConversations = ({ db, clock }: Pick<ServerContext, 'db' | 'clock'>): HandledJob =>
  wakeConversation.handledBy(async ({ conversation }, { projectId }) => {
    if (projectId === null) return undefined
    const at = clock()
    await db
      .forProject(projectId)
      .transaction()
      .execute(async (work) => {
        const woken = await work
          .updateTable('conversations')
          .set({ snoozed_until: null, updated_at: at })
          .where('gid', '=', conversation)
          .where('project_id', '=', projectId)
          .where('snoozed_until', '<=', at)
          .returning('id')
          .executeTakeFirst()
        if (!woken) return
        const context = { projectId, by: { actor: 'system' }, correlation: `wake.${conversation}`, at } as const
        await appendEvent(work, conversationSnoozed, context, { conversation, until: null })
      })
    return undefined
  })
