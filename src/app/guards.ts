import { type LoaderFunctionArgs, redirect } from 'react-router'
import { installation } from '../../server/contracts/auth'
import { gid } from '../../server/contracts/route'
import { loadAccount, useAccountStore } from '../api/account'
import { callRoute } from '../api/client'
import { ApiFailure } from '../api/failure'
import { openEarly } from '../api/openingFlow'
import { notify } from '../ui/notify'
import { chatbotLandingOf, landingOf } from './landing'
import { loginPath } from './nextPath'
import { queries } from './queries'
import { forgetSession } from './session'

/** `/`: to the login page, or to where the account's role lands: in the default project, or in the one that `?project=` names. */
export async function home(args: LoaderFunctionArgs) {
  if (!(await isLoggedIn())) return redirect('/login')
  const pgid = new URL(args.request.url).searchParams.get('project') ?? undefined
  const account = await accountOrLogin({ ...args, params: { pgid } })
  return redirect(landingOf(account))
}

/** A chatbot's own address: to the first of its screens that the account's roles allow. */
export async function chatbotHome(args: LoaderFunctionArgs) {
  return redirect(chatbotLandingOf(await accountOrLogin(args)))
}

/** Pages for who is not logged in; others go to `/` (SPEC.md 2). */
export async function guestOnly() {
  if (await isLoggedIn()) return redirect('/')
  // a session that ended elsewhere leaves what was loaded with it
  forgetSession()
  return null
}

/**
 * The page that accepts an invitation is for guests too, but an invitation for who is logged in must be acceptable: so it
 * stays open to everybody who brings one.
 */
export async function guestOrInvited({ request }: LoaderFunctionArgs) {
  return new URL(request.url).searchParams.has('token') ? null : guestOnly()
}

/** Asks without failing: a guest's browser should not report an error on a page made for guests. */
async function isLoggedIn(): Promise<boolean> {
  return useAccountStore.getState().loaded || (await callRoute(installation)).logged_in
}

/**
 * Chatbot-scoped screens redirect to / when no chatbot id is known (SPEC.md 2), and those of a project alike: an id that is none is a link's
 * `undefined`.
 */
function wantIds(params: LoaderFunctionArgs['params']) {
  for (const id of [params.pgid, params.cgid]) if (id !== undefined && !gid.safeParse(id).success) throw redirect('/')
}

/** Loads the account for the project and the chatbot that the address names, before their screens are drawn. */
export async function withAccount(args: LoaderFunctionArgs) {
  await accountOrLogin(args)
  return null
}

/** The builder's flow, for the first screen of a visit: it comes with the account and the program instead of after both. */
export function flowEarly({ params, request }: LoaderFunctionArgs) {
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
    return await loadAccount({ pgid: params.pgid, cgid: params.cgid }).catch((error: unknown) => {
      // who sees none of the project's chatbots is told so inside the project: the screen asks its feature itself
      if (!(error instanceof ApiFailure) || error.status !== 403 || !params.cgid) throw error
      return loadAccount({ pgid: params.pgid })
    })
  } catch (error) {
    if (!(error instanceof ApiFailure) || error.status !== 401) throw error
    if (wasLoaded) notify.error(error.message)
    useAccountStore.setState(useAccountStore.getInitialState())
    const { pathname, search } = new URL(request.url)
    throw redirect(loginPath(pathname + search))
  }
}
