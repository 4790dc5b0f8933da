import type { FastifyInstance } from 'fastify'
import { chatbotOf } from '../../../access/chatbots'
import { registerRoute } from '../../../access/register'
import { MESSAGES_SHOWN, readTranscript, sendAgain } from '../../../contracts/conversations'
import type { ServerContext } from '../../../platform/context'
import { ApiError } from '../../../platform/errors'
import { deliveryOf } from '../channels/deliveryOf'
import type { Runtime } from '../runtime/createRuntime'
import { presentAnswer } from '../survey/presenter'

/** Routes by which members read visitors' conversations. */
export function registerConversations(
  app: FastifyInstance,
  context: ServerContext,
  runtime: Pick<Runtime, 'sendAgain'>,
): void {
  registerRoute(app, context, readTranscript, async ({ caller, caller: { db }, params }) => {
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
      .where('conversations.chatbot_id', '=', chatbot.id)
      // test conversations are private to the tester, unless they were handed over for real
      .where(({ eb, or }) =>
        or([eb('environment', 'in', ['production', 'sharing']), eb('handed_over_at', 'is not', null)]),
      )
      .executeTakeFirst()
    if (!row) throw new ApiError('not_found')
    const messages = await db
      .selectFrom('messages')
      .leftJoin('users', 'users.id', 'messages.sender_id')
      .leftJoin('deliveries', (join) =>
        join
          .onRef('deliveries.conversation_id', '=', 'messages.conversation_id')
          .onRef('deliveries.project_id', '=', 'messages.project_id')
          .onRef('deliveries.seq', '=', 'messages.seq'),
      )
      .select(['messages.seq', 'author', 'content', 'messages.created_at', 'helpful', 'first_name', 'last_name'])
      .select(['deliveries.status as delivery', 'deliveries.error as reason', 'reached'])
      .where('messages.conversation_id', '=', row.id)
      .orderBy('messages.seq', 'desc')
      .limit(MESSAGES_SHOWN + 1)
      .execute()
    const survey = await db
      .selectFrom('survey_answers')
      .select(['block_id', 'rating', 'chosen', 'follow_up', 'resolved', 'feedback', 'answered_at'])
      .where('conversation_id', '=', row.id)
      // the questions of flows stand among the messages
      .where('block_id', '=', '')
      .executeTakeFirst()
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
        survey: survey ? presentAnswer(survey) : null,
        messages: messages
          .slice(0, MESSAGES_SHOWN)
          .reverse()
          .map(({ seq, author, content, created_at, helpful, first_name, last_name, ...row }) => ({
            seq,
            author,
            content,
            at: created_at.toISOString(),
            ...(helpful !== null && { helpful }),
            ...(first_name !== null && { sender: `${first_name} ${last_name}`.trim() }),
            ...deliveryOf(row),
          })),
        cut: messages.length > MESSAGES_SHOWN,
      },
    }
  })
  registerRoute(app, context, sendAgain, async ({ caller, caller: { db }, params, origin }) => {
    const chatbot = await chatbotOf(db, caller.project.id, params.cgid)
    const row = await db
      .selectFrom('conversations')
      .select(['id', 'gid', 'project_id'])
      .where('gid', '=', params.conversation)
      .where('chatbot_id', '=', chatbot.id)
      .executeTakeFirst()
    if (!row) throw new ApiError('not_found')
    await runtime.sendAgain(row, params.seq, origin)
    return {}
  })
}
