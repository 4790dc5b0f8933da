import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { cleanText } from '../../../../engine/values/cleanText'
import { chatbotOf } from '../../../access/chatbots'
import { hasFeature } from '../../../access/entitlements'
import { registerRoute } from '../../../access/register'
import { answerSurvey } from '../../../contracts/chat'
import { readSurveyAnswers, SURVEY_ANSWERS_SHOWN } from '../../../contracts/surveyAnswers'
import { type SurveySettings, surveySchema } from '../../../contracts/web/settings'
import type { ServerContext } from '../../../platform/context'
import { ApiError, fieldError } from '../../../platform/errors'
import { appendEvent } from '../../../platform/events/defineEvent'
import { surveyAnswered } from '../events'
import type { Runtime } from '../runtime/createRuntime'
import { presentAnswer } from './presenter'

const ANSWERS_PER_MINUTE = 10

/** What visitors say of a conversation at its end, and who reads it. */
export function registerSurvey(
  app: FastifyInstance,
  context: ServerContext,
  runtime: Pick<Runtime, 'findForVisitor'>,
): void {
  const answersOf = context.limits.attempts('survey answers of a conversation', ANSWERS_PER_MINUTE)

  registerRoute(
    app,
    context,
    answerSurvey,
    async ({ caller: { conversation: ref }, body, request }) => {
      await answersOf.take(ref.id)
      const own = context.db.forProject(ref.project_id)
      await own.transaction().execute(async (trx) => {
        const row = await trx
          .selectFrom('conversations')
          .leftJoin('web_chats', (join) =>
            join
              .onRef('web_chats.chatbot_id', '=', 'conversations.chatbot_id')
              .onRef('web_chats.project_id', '=', 'conversations.project_id'),
          )
          .innerJoin('projects', 'projects.id', 'conversations.project_id')
          .select(['conversations.gid', 'conversations.environment', 'conversations.chatbot_id', 'web_chats.survey'])
          .select(['projects.plan_id', 'projects.addons'])
          .where('conversations.id', '=', ref.id)
          .executeTakeFirst()
        const settings = surveySchema.parse(row?.survey ?? {})
        if (!row || !settings.enabled || !hasFeature(row, 'survey')) throw new ApiError('not_found')
        const answer = answerOf(settings, body)
        const values = { ...answer, answered_at: context.clock() }
        await trx
          .insertInto('survey_answers')
          .values({ conversation_id: ref.id, project_id: ref.project_id, chatbot_id: row.chatbot_id, ...values })
          .onConflict((conflict) => conflict.columns(['conversation_id', 'block_id']).doUpdateSet(values))
          .execute()
        const { gid: conversation, environment } = row
        await appendEvent(
          trx,
          surveyAnswered,
          { projectId: ref.project_id, by: { actor: 'visitor' }, correlation: request.id, at: values.answered_at },
          { conversation, environment, rating: answer.rating, resolved: answer.resolved },
        )
      })
      return {}
    },
    ({ slug, conversation }, token) => runtime.findForVisitor({ name: slug, gid: conversation, token }),
  )

  registerRoute(app, context, readSurveyAnswers, async ({ caller: { db, project }, params }) => {
    const { id } = await chatbotOf(db, project.id, params.cgid)
    const totals = await db
      .selectFrom('survey_answers')
      .select(({ fn }) => [
        fn.countAll<string>().as('count'),
        fn.avg<string | null>('rating').as('average'),
        sql<string>`count(*) filter (where resolved)`.as('resolved'),
        sql<string>`count(resolved)`.as('asked'),
      ])
      .where('chatbot_id', '=', id)
      .executeTakeFirstOrThrow()
    const rows = await db
      .selectFrom('survey_answers')
      .innerJoin('conversations', (join) =>
        join
          .onRef('conversations.id', '=', 'survey_answers.conversation_id')
          .onRef('conversations.project_id', '=', 'survey_answers.project_id'),
      )
      .select(['conversations.gid', 'block_id', 'rating', 'chosen', 'follow_up', 'resolved', 'feedback', 'answered_at'])
      .where('survey_answers.chatbot_id', '=', id)
      .orderBy('answered_at', 'desc')
      .limit(SURVEY_ANSWERS_SHOWN)
      .execute()
    return {
      count: Number(totals.count),
      average: totals.average === null ? null : Math.round(Number(totals.average) * 100) / 100,
      resolved: Number(totals.asked) === 0 ? null : Math.round((100 * Number(totals.resolved)) / Number(totals.asked)),
      answers: rows.map(({ gid, ...answer }) => ({
        id: `${gid} ${answer.block_id}`,
        conversation: gid,
        ...presentAnswer(answer),
      })),
    }
  })
}

/**
 * What is asked of what was sent. @throws ApiError invalid, at the field, where something is left out that must be said
 */
function answerOf(
  { follow_up, resolved, feedback }: SurveySettings,
  sent: { rating: number; follow_up: string[]; resolved: boolean | null; feedback: string },
) {
  const answer = {
    rating: sent.rating,
    follow_up: follow_up.enabled ? [...new Set(sent.follow_up)] : [],
    resolved: resolved.enabled ? sent.resolved : null,
    feedback: feedback.enabled ? cleanText(sent.feedback) : '',
  }
  if (follow_up.enabled && follow_up.required && answer.follow_up.length === 0)
    throw fieldError('follow_up', 'Required')
  if (resolved.enabled && resolved.required && answer.resolved === null) throw fieldError('resolved', 'Required')
  if (feedback.enabled && feedback.required && answer.feedback === '') throw fieldError('feedback', 'Required')
  return answer
}
