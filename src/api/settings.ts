import i18next from 'i18next'
import { type Settings, updateSettings } from '../../server/contracts/account'
import { callRoute } from './client'
import { ApiFailure } from './failure'

type SettingsChange = Partial<
  Pick<
    Settings,
    'hide_v2_upgrade_announcement' | 'hide_builder_tutorial_video_popup' | 'hide_contact_variables_deprecation_popup'
  >
>

/** Hides announcements for this user. Throws ApiFailure with the texts of SPEC.md 8. */
export const saveSettings = (change: SettingsChange): Promise<Settings> =>
  callRoute(updateSettings, {
    body: change,
    handleUnauthenticated: false,
  }).catch(rethrow)

function rethrow(error: unknown): never {
  if (!(error instanceof ApiFailure) || error.status === 429) throw error
  const { status } = error
  if (status === undefined)
    throw new ApiFailure(i18next.t('errors.settingsNoResponse'), {
      code: '2315',
      cause: error,
    })
  if (status === 401)
    throw new ApiFailure(i18next.t('errors.dashboardUnauthenticated'), {
      code: '2006',
      status,
    })
  throw new ApiFailure(i18next.t('errors.settingsStatus'), {
    code: '2314',
    status,
  })
}
