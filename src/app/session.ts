import i18next from 'i18next'
import { logOut, resetAccount, useAccountStore } from '../api/account'
import { failureText } from '../api/failure'
import { forgetUndo } from '../collab/keptUndo'
import { openFlows } from '../collab/openFlows'
import { notify } from '../ui/notify'
import { queries } from './queries'

let leaving = false
let showLogin: (again?: { next: string }) => Promise<void> = async () => undefined

/** Sets how the login page is shown; called by the router, to avoid a circular import. */
export function whenLeaving(show: typeof showLogin) {
  showLogin = show
}

/**
 * After a 401: shows a message once (SPEC.md 8) and the login page, which returns here. A screen with unsaved changes
 * may ask first, so the loaded state is only cleared by the login page.
 */
export async function leaveUnauthenticated() {
  if (leaving) return
  leaving = true
  notify.error(i18next.t('errors.unauthenticated'))
  useAccountStore.setState({ loaded: false })
  const { pathname, search, hash } = window.location
  await showLogin({ next: pathname + search + hash })
  leaving = false
}

/** Clears what was loaded for a user who is no longer logged in. */
export function forgetSession() {
  if (!useAccountStore.getState().account) return
  resetAccount('all')
  queries.clear()
  // unsent edits stay on this device, and are restored with the account
  openFlows.closeAll()
  forgetUndo(sessionStorage)
}

/** Logs out by the user's wish; a failure is shown and changes nothing. */
export async function leave() {
  try {
    await logOut()
    await toLogin()
  } catch (error) {
    notify.error(failureText(error, i18next.t('errors.logout')))
  }
}

async function toLogin() {
  queries.clear()
  // unsent edits stay on this device, and are restored with the account
  openFlows.closeAll()
  forgetUndo(sessionStorage)
  await showLogin()
}
