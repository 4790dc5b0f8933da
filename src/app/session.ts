import i18next from 'i18next'
import { logOut, resetAccount } from '../api/account'
import { failureText } from '../api/failure'
import { notify } from '../ui/notify'
import { queries } from './queries'
import { router } from './router'

let leaving = false

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
  await router.navigate('/login')
}
