import type { Settings } from '../../../contracts/account'
import type { Db } from '../../../platform/database/database'

export async function settingsOf(db: Db, userId: string): Promise<Settings> {
  const row = await db
    .selectFrom('user_settings')
    .leftJoin('chatbots', 'chatbots.id', 'user_settings.default_chatbot_id')
    .select([
      'onboarding_survey_completed',
      'onboarding_displayed',
      'hide_onboarding_checklist',
      'hide_v2_upgrade_announcement',
      'hide_builder_tutorial_video_popup',
      'hide_contact_variables_deprecation_popup',
      'show_feature_vote_1',
      'chatbots.gid as default_chatbot_id',
    ])
    .where('user_settings.user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return row
}
