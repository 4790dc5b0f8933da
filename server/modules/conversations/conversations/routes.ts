import type { FastifyInstance } from 'fastify'
import { chatbotOf } from '../../../access/chatbots'
import { registerRoute } from '../../../access/register'
import { MESSAGES_SHOWN, readTranscript } from '../../../contracts/conversations'
import type { ServerContext } from '../../../platform/context'
import { ApiError } from '../../../platform/errors'

/** What members read of visitors' conversations. */
export function registerConversations(app: FastifyInstance, context: ServerContext): void {
  const { db } = context

  registerRoute(app, context, readTranscript, async ({ caller, params }) => {
    const chatbot = await chatbotOf(db, caller.project.id, params.cgid)
    const row = await db
      .selectFrom('conversations')
      .leftJoin('hand_offs', (join) =>
        join
          .onRef('hand_offs.conversation_id', '=', 'conversations.id')
          .onRef('hand_offs.project_id', '=', 'conversations.project_id'),
      )
      .select([
        'conversations.id',
        'conversations.gid',
        'conversations.status',
        'conversations.created_at',
        'environment',
      ])
      .select(['handed_over_at', 'team', 'note', 'email'])
      .where('conversations.gid', '=', params.conversation)
      .where('conversations.project_id', '=', caller.project.id)
      .where('conversations.chatbot_id', '=', chatbot.id)
      // what testers try is theirs, unless they handed it over for real
      .where(({ eb, or }) =>
        or([eb('environment', 'in', ['production', 'sharing']), eb('handed_over_at', 'is not', null)]),
      )
      .executeTakeFirst()
    if (!row) throw new ApiError('not_found')
    const messages = await db
      .selectFrom('messages')
      .select(['seq', 'author', 'content', 'created_at'])
      .where('conversation_id', '=', row.id)
      .where('project_id', '=', caller.project.id)
      .orderBy('seq', 'desc')
      .limit(MESSAGES_SHOWN + 1)
      .execute()
    return {
      transcript: {
        gid: row.gid,
        chatbot: chatbot.name,
        state: row.status === 'closed' ? ('ended' as const) : ('open' as const),
        started_at: row.created_at.toISOString(),
        test: row.environment === 'editor' || row.environment === 'playground',
        hand_off: row.handed_over_at && {
          at: row.handed_over_at.toISOString(),
          team: row.team ?? '',
          note: row.note ?? '',
          email: row.email,
        },
        messages: messages
          .slice(0, MESSAGES_SHOWN)
          .reverse()
          .map(({ seq, author, content, created_at }) => ({ seq, author, content, at: created_at.toISOString() })),
        cut: messages.length > MESSAGES_SHOWN,
      },
    }
  })
}
