import i18next from 'i18next'
import { logOut, resetAccount } from '../api/account'
import { failureText } from '../api/failure'
import { openFlows } from '../collab/openFlows'
import { notify } from '../ui/notify'
import { queries } from './queries'

let leaving = false
let showLogin: () => Promise<void> = async () => undefined

/** Sets how the login page is shown: the router's part, which itself leads here by way of the shell. */
export function whenLeaving(show: () => Promise<void>) {
  showLogin = show
}

/** A call was answered with 401: says so once (SPEC.md 8), ends the session and shows the login page. */
export async function leaveUnauthenticated() {
  if (leaving) return
  leaving = true
  notify.error(i18next.t('errors.unauthenticated'))
  await logOut().catch(() => resetAccount('all'))
  await toLogin()
  leaving = false
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
  await showLogin()
}
