import type { Settings } from '../../../contracts/account'
import type { Db } from '../../../platform/database/database'

/** People are asked what should be built next once they have used the product for so long. */
const ASKED_AFTER = 7 * 24 * 60 * 60 * 1000

/** An account's settings, as SPEC.md 3 names them. @param now decides what is asked by now */
export async function settingsOf(db: Db, userId: string, now: Date): Promise<Settings> {
  const { created_at, show_feature_vote_1, ...row } = await db
    .selectFrom('user_settings')
    .innerJoin('users', 'users.id', 'user_settings.user_id')
    .leftJoin('chatbots', 'chatbots.id', 'user_settings.default_chatbot_id')
    .select([
      'onboarding_survey_completed',
      'onboarding_displayed',
      'hide_onboarding_checklist',
      'hide_v2_upgrade_announcement',
      'hide_builder_tutorial_video_popup',
      'hide_contact_variables_deprecation_popup',
      'show_feature_vote_1',
      'users.created_at',
      'users.language',
      'chatbots.gid as default_chatbot_id',
    ])
    .where('user_settings.user_id', '=', userId)
    .executeTakeFirstOrThrow()
  const asked = now.getTime() - created_at.getTime() >= ASKED_AFTER
  return { ...row, show_feature_vote_1: show_feature_vote_1 && asked }
}
