import { type LoaderFunctionArgs, redirect } from 'react-router'
import { installation } from '../../server/api/auth/contract'
import { loadAccount, useAccountStore } from '../api/account'
import { callRoute } from '../api/client'
import { ApiFailure } from '../api/failure'
import { notify } from '../ui/notify'
import { landingOf } from './landing'

/** `/`: to the login page, or to where the account's role lands. */
export async function home(args: LoaderFunctionArgs) {
  if (!(await isLoggedIn())) return redirect('/login')
  const account = await accountOrLogin(args)
  return redirect(landingOf(account))
}

/** Pages for who is not logged in; others go to `/` (SPEC.md 2). */
export async function guestOnly() {
  return (await isLoggedIn()) ? redirect('/') : null
}

/** Asks without failing: a guest's browser should not report an error on a page made for guests. */
async function isLoggedIn(): Promise<boolean> {
  return useAccountStore.getState().loaded || (await callRoute(installation)).logged_in
}

/** Loads the account for the project and the chatbot that the address names, before their screens are drawn. */
export async function withAccount(args: LoaderFunctionArgs) {
  await accountOrLogin(args)
  return null
}

async function accountOrLogin({ params, request }: LoaderFunctionArgs) {
  const wasLoaded = useAccountStore.getState().loaded
  try {
    return await loadAccount({ pgid: params.pgid, cgid: params.cgid })
  } catch (error) {
    if (!(error instanceof ApiFailure) || error.status !== 401) throw error
    if (wasLoaded) notify.error(error.message)
    useAccountStore.setState(useAccountStore.getInitialState())
    const { pathname, search } = new URL(request.url)
    throw redirect(pathname === '/' ? '/login' : `/login?next=${encodeURIComponent(pathname + search)}`)
  }
}
