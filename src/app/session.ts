import i18next from 'i18next'
import { logOut, resetAccount, useAccountStore } from '../api/account'
import { failureText } from '../api/failure'
import { forgetUndo } from '../collab/keptUndo'
import { openFlows } from '../collab/openFlows'
import { notify } from '../ui/notify'
import { queries } from './queries'

let leaving = false
let showLogin: (again?: { next: string }) => Promise<void> = async () => undefined

/** Sets how the login page is shown, and where it leads to: the router's part, which itself leads here by way of the shell. */
export function whenLeaving(show: typeof showLogin) {
  showLogin = show
}

/**
 * A call was answered with 401: says so once (SPEC.md 8) and shows the login page, which leads back here. A screen with something unsaved
 * asks before, and stays until it may go: so what is loaded is forgotten by the login page, when it comes.
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

/** Forgets what was loaded for somebody who is no longer logged in. */
export function forgetSession() {
  if (!useAccountStore.getState().account) return
  resetAccount('all')
  queries.clear()
  // what they have not sent stays on this device, and comes back with the account
  openFlows.closeAll()
  forgetUndo(sessionStorage)
}

/** The user's own log out; a failure is said and changes nothing. */
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
  // what they have not sent stays on this device, and comes back with the account
  openFlows.closeAll()
  forgetUndo(sessionStorage)
  await showLogin()
}
