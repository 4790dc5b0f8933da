import type { FastifyInstance } from 'fastify'
import { registerRoute } from '../../../access/register'
import { isAllowed } from '../../../access/roles'
import {
  answerSurvey,
  COUNTED_FROM,
  type FeatureChoice,
  featureChoices,
  updateStart,
  voteFeature,
} from '../../../contracts/firstSteps'
import type { ServerContext } from '../../../platform/context'
import type { Db } from '../../../platform/database/database'
import { ApiError } from '../../../platform/errors'
import { membershipsOf } from '../../accounts/projects/memberships'
import { settingsOf } from './settings'

/** Routes for what a person is asked and shown at the beginning: the survey, the vote, what is opened first. */
export function registerFirstSteps(app: FastifyInstance, context: ServerContext): void {
  const { db, clock } = context
  const settings = (userId: string) => settingsOf(db, userId, clock())

  registerRoute(app, context, answerSurvey, async ({ caller: { user }, body: { answers } }) => {
    await db
      .updateTable('user_settings')
      .set({
        onboarding_displayed: true,
        // skipping takes back no answers that were given in another window
        ...(answers && { onboarding_survey_completed: true, survey: JSON.stringify(answers) }),
      })
      .where('user_id', '=', user.id)
      .execute()
    return settings(user.id)
  })

  registerRoute(app, context, voteFeature, async ({ caller: { user }, body: { choice } }) => {
    await db
      .updateTable('user_settings')
      .set({ show_feature_vote_1: false, ...(choice && { feature_vote: choice }) })
      .where('user_id', '=', user.id)
      .execute()
    return { settings: await settings(user.id), votes: await votesOf(db) }
  })

  registerRoute(app, context, updateStart, async ({ caller: { user }, body }) => {
    const { default_chatbot_id: gid, hide_onboarding_checklist: hide } = body
    const changes = {
      ...(hide !== undefined && { hide_onboarding_checklist: hide }),
      ...(gid !== undefined && { default_chatbot_id: gid && (await chatbotIdOf(db, user.id, gid)) }),
    }
    if (Object.keys(changes).length > 0)
      await db.updateTable('user_settings').set(changes).where('user_id', '=', user.id).execute()
    return settings(user.id)
  })
}

/** @throws ApiError `not_found` if it is in no project in which the account may see chatbots */
async function chatbotIdOf(db: Db, userId: string, gid: string): Promise<string> {
  const memberships = await membershipsOf(db, userId)
  const seen = memberships.filter(({ roles }) => isAllowed(roles, 'chatbots.view')).map(({ id }) => id)
  const row = await db
    .selectFrom('chatbots')
    .select('id')
    .where('gid', '=', gid)
    .where('project_id', 'in', ['0', ...seen])
    .where('deleting_since', 'is', null)
    .executeTakeFirst()
  if (!row) throw new ApiError('not_found')
  return row.id
}

async function votesOf(db: Db): Promise<{ choice: FeatureChoice; count: number }[] | null> {
  const rows = await db
    .selectFrom('user_settings')
    .select(({ fn }) => ['feature_vote', fn.countAll<string>().as('count')])
    .where('feature_vote', 'is not', null)
    .groupBy('feature_vote')
    .execute()
  const votes = featureChoices.map((choice) => ({
    choice,
    count: Number(rows.find(({ feature_vote }) => feature_vote === choice)?.count ?? 0),
  }))
  return votes.reduce((sum, { count }) => sum + count, 0) < COUNTED_FROM ? null : votes
}
