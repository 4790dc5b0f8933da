import type { FastifyInstance } from 'fastify'
import { plainRichText } from '../../../../engine/values/richText'
import { parseEmail, ruleMessages } from '../../../../engine/values/rules'
import { registerRoute } from '../../../access/register'
import {
  MESSAGES_A_PAGE,
  mailTranscript,
  rateMessage,
  readEarlierMessages,
  showVisitorPresence,
} from '../../../contracts/chat'
import type { ServerContext } from '../../../platform/context'
import { ApiError } from '../../../platform/errors'
import { appendEvent } from '../../../platform/events/defineEvent'
import type { Mailer } from '../../mails/createMailer'
import { readWebChat } from '../../web/webSettings'
import { textsIn } from '../continuation/texts'
import { messageRated } from '../events'
import type { Runtime, VisitorsConversation } from '../runtime/createRuntime'
import { readEarlier } from '../runtime/transcript'
import { presentMessage } from './presenter'
import { readWholeStory } from './wholeStory'

/** Ratings that one conversation takes in a minute, and transcripts of it that are mailed in an hour. */
const RATINGS = 60
const TRANSCRIPTS = 3
/** Times in a minute that a visitor's page says what the visitor does. */
const PRESENCES = 60
const BOT = 1

type FindConversation = (params: { slug: string; conversation: string }, token: string) => Promise<VisitorsConversation>

/** What a visitor does with messages that are there: reads earlier ones, says whether one helped, has them mailed. */
export function registerMessages(
  app: FastifyInstance,
  context: ServerContext,
  { send, runtime }: { send: Mailer; runtime: Pick<Runtime, 'people' | 'presence'> },
  ofVisitor: FindConversation,
): void {
  const { db, clock, limits } = context
  const ratingsOf = limits.attempts('ratings of a conversation', RATINGS)
  const presenceOf = limits.attempts('presence of a visitor', PRESENCES)
  const transcriptsOf = limits.attempts('transcripts of a conversation', TRANSCRIPTS, 3_600_000)

  registerRoute(
    app,
    context,
    readEarlierMessages,
    async ({ caller: { conversation: ref }, params, query: { before } }) => {
      const { messages, earlier } = await readEarlier(db.forProject(ref.project_id), ref, {
        before,
        most: MESSAGES_A_PAGE,
      })
      return {
        messages: messages.map((message) => presentMessage(context.config, params.conversation, message)),
        earlier,
      }
    },
    ofVisitor,
  )

  registerRoute(
    app,
    context,
    showVisitorPresence,
    async ({ caller: { conversation: ref }, params: { conversation }, body: { typing, seen } }) => {
      await presenceOf.take(ref.id)
      if (seen) await runtime.people.see(ref, 'visitor')
      const state = typing ? 'typing' : 'looking'
      runtime.presence.show(ref.project_id, { conversation, person: null, state })
      return {}
    },
    ofVisitor,
  )

  registerRoute(
    app,
    context,
    rateMessage,
    async ({ caller: { conversation: ref }, params: { conversation, seq }, body: { helpful }, request }) => {
      await ratingsOf.take(ref.id)
      await db
        .forProject(ref.project_id)
        .transaction()
        .execute(async (trx) => {
          const rated = await trx
            .updateTable('messages')
            .set({ helpful })
            .where('conversation_id', '=', ref.id)
            .where('project_id', '=', ref.project_id)
            .where('seq', '=', seq)
            .where('author', '=', BOT)
            .returning('seq')
            .executeTakeFirst()
          if (!rated) throw new ApiError('not_found')
          const { environment } = await trx
            .selectFrom('conversations')
            .select('environment')
            .where('id', '=', ref.id)
            .where('project_id', '=', ref.project_id)
            .executeTakeFirstOrThrow()
          const at = {
            projectId: ref.project_id,
            by: { actor: 'visitor' },
            correlation: request.id,
            at: clock(),
          } as const
          await appendEvent(trx, messageRated, at, { conversation, environment, seq, helpful })
        })
      return {}
    },
    ofVisitor,
  )

  registerRoute(
    app,
    context,
    mailTranscript,
    async ({ caller: { conversation: ref }, body }) => {
      const email = parseEmail(body.email)
      if (email === null)
        throw new ApiError('invalid', { message: ruleMessages.email, fields: { email: ruleMessages.email } })
      await transcriptsOf.take(ref.id)
      const own = db.forProject(ref.project_id)
      const { chatbot_id, name, last_seq, language } = await own
        .selectFrom('conversations')
        .innerJoin('chatbots', 'chatbots.id', 'conversations.chatbot_id')
        .select(['conversations.chatbot_id', 'chatbots.name', 'conversations.last_seq', 'conversations.language'])
        .where('conversations.id', '=', ref.id)
        .where('conversations.project_id', '=', ref.project_id)
        .executeTakeFirstOrThrow()
      const { look } = await readWebChat(own, { projectId: ref.project_id, chatbotId: chatbot_id })
      if (!look.parts.transcript) throw new ApiError('not_found')
      const title = look.brand.name || name
      const { you: visitor } = textsIn([language]).texts
      const { lines, cut } = await readWholeStory(own, ref, { visitor, bot: title })
      const sent = await send({
        projectId: ref.project_id,
        conversationId: ref.id,
        // asked for twice, with nothing said meanwhile, it is one mail
        key: `transcript.${ref.id}.${last_seq}.${email}`,
        purpose: 'flow',
        fromName: title,
        to: [email],
        cc: [],
        bcc: [],
        replyTo: [],
        subject: title,
        body: {
          template: 'flow',
          body: [...(cut ? ['…'] : []), ...lines].flatMap((line) => plainRichText(line)),
        },
      })
      if (!sent.ok) throw new ApiError('unavailable', { message: sent.error })
      return {}
    },
    ofVisitor,
  )
}
