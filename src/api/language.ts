import i18next from 'i18next'
import { type InterfaceLanguage, interfaceLanguages } from '../../server/contracts/languages'
import { chooseLanguage, isLanguageChosen } from '../i18n'
import { notify } from '../ui/notify'
import { settingsChanged, useAccountStore } from './account'
import { failureText } from './failure'
import { saveSettings } from './settings'

/** The language of the interface as it is shown. */
export const shownLanguage = (): InterfaceLanguage =>
  interfaceLanguages.find((each) => each === i18next.language) ?? 'en'

/** Switches the interface of this device, and the mails to the account, to a language. */
export async function switchLanguage(language: string): Promise<void> {
  await chooseLanguage(language)
  if (!useAccountStore.getState().account) return
  try {
    settingsChanged(await saveSettings({ language: shownLanguage() }))
  } catch (error) {
    notify.error(failureText(error, i18next.t('errors.message')))
  }
}

/**
 * Makes interface and account agree once an account is loaded: a device on which nobody chose a language follows the
 * account; an account that has none takes that of the interface.
 */
export async function agreeOnLanguage(stored: InterfaceLanguage | null): Promise<void> {
  if (stored !== null && !isLanguageChosen()) await i18next.changeLanguage(stored)
  // a failure shows nothing: nobody asked for it, and the next visit tries again
  if (stored === null) await saveSettings({ language: shownLanguage() }).then(settingsChanged, () => undefined)
}
