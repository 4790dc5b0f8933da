import { type LoaderFunctionArgs, redirect } from 'react-router'
import { currentUser } from '../../server/api/auth/contract'
import { loadAccount, useAccountStore } from '../api/account'
import { callRoute } from '../api/client'
import { ApiFailure } from '../api/failure'
import { notify } from '../ui/notify'
import { landingOf } from './landing'

/** `/`: to the login page, or to where the account's role lands. */
export async function home(args: LoaderFunctionArgs) {
  const account = await accountOrLogin(args)
  return redirect(landingOf(account))
}

/** Pages for who is not logged in; others go to `/` (SPEC.md 2). */
export async function guestOnly() {
  if (useAccountStore.getState().loaded) return redirect('/')
  try {
    await callRoute(currentUser, { handleUnauthenticated: false })
  } catch (error) {
    if (error instanceof ApiFailure && error.status === 401) return null
    throw error
  }
  return redirect('/')
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
