import i18next from 'i18next'
import { type LoaderFunction, type LoaderFunctionArgs, redirect } from 'react-router'
import { installation } from '../../server/contracts/auth'
import { gid } from '../../server/contracts/route'
import { loadAccount, useAccountStore } from '../api/account'
import { callRoute } from '../api/client'
import { ApiFailure } from '../api/failure'
import { agreeOnLanguage } from '../api/language'
import { openEarly } from '../api/openingFlow'
import { notify } from '../ui/notify'
import { chatbotLandingOf, landingOf } from './landing'
import { loginPath } from './nextPath'
import { queries } from './queries'
import { forgetSession } from './session'

/**
 * `/`: redirects to the login page, or to the landing screen of the account's role, in the default project or the one
 * in `?project=`.
 */
async function home(args: LoaderFunctionArgs) {
  if (!(await isLoggedIn())) return redirect('/login')
  const pgid = new URL(args.request.url).searchParams.get('project') ?? undefined
  const account = await accountOrLogin({ ...args, params: { pgid } })
  return redirect(landingOf(account))
}

/** A chatbot's own address: redirects to the first of its screens that the account's roles allow. */
async function chatbotHome(args: LoaderFunctionArgs) {
  return redirect(chatbotLandingOf(await accountOrLogin(args)))
}

/** Pages for guests; others are redirected to `/` (SPEC.md 2). */
async function guestOnly() {
  if (await isLoggedIn()) return redirect('/')
  // clears what was loaded with a session that ended elsewhere
  forgetSession()
  return null
}

/**
 * The registration page for an invitation is open to everybody with one: a logged-in account must be able to accept it.
 */
async function guestOrInvited({ request }: LoaderFunctionArgs) {
  return new URL(request.url).searchParams.has('token') ? null : guestOnly()
}

/** Checks without an error response, which a guest's browser would report. */
async function isLoggedIn(): Promise<boolean> {
  return useAccountStore.getState().loaded || (await callRoute(installation)).logged_in
}

/**
 * Screens of a chatbot redirect to / without a chatbot id (SPEC.md 2), and so do those of a project: `undefined` in a
 * link is no id.
 */
function wantIds(params: LoaderFunctionArgs['params']) {
  for (const id of [params.pgid, params.cgid]) if (id !== undefined && !gid.safeParse(id).success) throw redirect('/')
}

/** Loads the account for the address's project and chatbot before their screens are rendered. */
async function withAccount(args: LoaderFunctionArgs) {
  await accountOrLogin(args)
  return null
}

/** Pages that a vendor sends people back to: without a session the target is the log-in (SPEC.md 2). */
async function withSession(args: LoaderFunctionArgs) {
  if (!(await isLoggedIn())) throw redirect('/login')
  return withAccount(args)
}

/** Starts loading the builder's flow on the first visit, in parallel with the account and the code. */
function flowEarly({ params, request }: LoaderFunctionArgs) {
  wantIds(params)
  const { pgid, cgid } = params
  if (pgid && cgid && !useAccountStore.getState().loaded)
    openEarly(pgid, cgid, new URL(request.url).searchParams.get('flow'), queries)
  return null
}

async function accountOrLogin({ params, request }: LoaderFunctionArgs) {
  wantIds(params)
  const wasLoaded = useAccountStore.getState().loaded
  try {
    const account = await loadAccount({ pgid: params.pgid, cgid: params.cgid }).catch((error: unknown) => {
      // without the right to see chatbots: shown inside the project, where the screen checks its own feature
      if (!(error instanceof ApiFailure) || error.status !== 403 || !params.cgid) throw error
      return loadAccount({ pgid: params.pgid })
    })
    if (!wasLoaded) void agreeOnLanguage(account.user.settings.language)
    return account
  } catch (error) {
    if (!(error instanceof ApiFailure) || error.status !== 401) throw error
    if (wasLoaded) notify.error(error.message)
    useAccountStore.setState(useAccountStore.getInitialState())
    const { pathname, search } = new URL(request.url)
    throw redirect(loginPath(pathname + search))
  }
}

/** What runs before screens are shown, by the names that the table of routes uses. */
const guards = { home, chatbotHome, guestOnly, guestOrInvited, withAccount, withSession, flowEarly }
export type GuardName = keyof typeof guards

/**
 * Returns the guard of a name. One that there is not closes its screens with an error page (SPEC.md 8): it must not
 * let people in.
 */
export const guard = (name: GuardName): LoaderFunction =>
  Object.hasOwn(guards, name)
    ? guards[name]
    : () => {
        throw new ApiFailure(i18next.t('errors.unknownGuard'), { status: 500 })
      }
