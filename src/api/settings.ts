import i18next from 'i18next'
import { type Settings, updateSettings } from '../../server/contracts/account'
import type { InterfaceLanguage } from '../../server/contracts/languages'
import { notify } from '../ui/notify'
import { settingsChanged, useAccountStore } from './account'
import { callRoute } from './client'
import { ApiFailure, failureText } from './failure'

type SettingsChange = Partial<
  Pick<
    Settings,
    'hide_v2_upgrade_announcement' | 'hide_builder_tutorial_video_popup' | 'hide_contact_variables_deprecation_popup'
  >
> & { language?: InterfaceLanguage }

/** Hides announcements for this user, or stores the language. Throws ApiFailure with the texts of SPEC.md 8. */
export const saveSettings = (change: SettingsChange): Promise<Settings> =>
  callRoute(updateSettings, {
    body: change,
    handleUnauthenticated: false,
  }).catch(rethrow)

/** Puts an announcement away for good; if that fails, it says so and comes back at the next visit. */
export async function hideAnnouncement(name: Exclude<keyof SettingsChange, 'language'>): Promise<void> {
  const { account } = useAccountStore.getState()
  // at once: the answer may take long
  if (account) settingsChanged({ ...account.user.settings, [name]: true })
  try {
    settingsChanged(await saveSettings({ [name]: true }))
  } catch (error) {
    notify.error(failureText(error, i18next.t('errors.message')))
  }
}

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
