import i18next from 'i18next'
import { create } from 'zustand'
import { type Account, dashboard } from '../../server/contracts/account'
import { logout } from '../../server/contracts/auth'
import { callRoute } from './client'
import { ApiFailure } from './failure'
import { type FeatureRoles, isAllowed, parseFeatureRoles } from './roles'

/** The account state of SPEC.md 3, from the dashboard route. */
interface AccountState {
  /** false until the dashboard call succeeds */
  loaded: boolean
  account: Account | null
  featureRoles: FeatureRoles | null
}

const nobody: AccountState = {
  loaded: false,
  account: null,
  featureRoles: null,
}
/** server/access/plans.ts */
export const SELF_HOSTED = 'self-hosted'

export const useAccountStore = create<AccountState>(() => nobody)

export interface Place {
  pgid?: string | undefined
  cgid?: string | undefined
}

let loading: { key: string; promise: Promise<Account> } | null = null

/**
 * Loads the account state for a project and a chatbot (SPEC.md 4: skipped if already loaded, unless forced). Throws
 * ApiFailure with the dashboard's texts of SPEC.md 8 (2005 to 2008); a missing project or chatbot keeps its 404.
 */
export async function loadAccount(place: Place = {}, force = false): Promise<Account> {
  const { account } = useAccountStore.getState()
  if (account && !force && isAt(account, place)) return account
  const key = `${place.pgid ?? ''}/${place.cgid ?? ''}`
  if (loading?.key === key && !force) return loading.promise
  const mine = { key, promise: fetchAccount(place) }
  loading = mine
  try {
    const loaded = await mine.promise
    if (loading === mine)
      useAccountStore.setState({
        loaded: true,
        account: loaded,
        featureRoles: parseFeatureRoles(loaded.fr),
      })
    return loaded
  } finally {
    if (loading === mine) loading = null
  }
}

function isAt(account: Account, { pgid, cgid }: Place): boolean {
  const { project, chatbot } = account.user
  return (pgid === undefined || project?.gid === pgid) && (cgid === undefined || chatbot?.gid === cgid)
}

async function fetchAccount({ pgid, cgid }: Place): Promise<Account> {
  try {
    const body = { pgid: pgid ?? null, cgid: cgid ?? null }
    const account = await callRoute(dashboard, {
      body,
      handleUnauthenticated: false,
    })
    if (account) return account
  } catch (error) {
    throw error instanceof ApiFailure ? dashboardFailure(error) : error
  }
  throw new ApiFailure(i18next.t('errors.dashboardNoData'), {
    code: '2005',
    status: 200,
  })
}

/** Refusals of which the page says what to do. */
const TOLD_BY_PAGE = new Set(['second_factor_required', 'sign_on_required', 'address_not_allowed'])

function dashboardFailure(failure: ApiFailure): ApiFailure {
  const { status, cause } = failure
  if (status === undefined)
    return new ApiFailure(i18next.t('errors.dashboardNoResponse'), {
      code: '2008',
      cause,
    })
  if (status === 401)
    return new ApiFailure(i18next.t('errors.dashboardUnauthenticated'), {
      code: '2006',
      status,
    })
  if (status === 200 || status === 404 || status === 429) return failure
  if (TOLD_BY_PAGE.has(failure.code ?? '')) return failure
  return new ApiFailure(i18next.t('errors.dashboardStatus'), {
    code: '2007',
    status,
  })
}

/** Reloads the present state after a change. Failures leave it as it was. */
export async function refreshAccount() {
  const user = useAccountStore.getState().account?.user
  await loadAccount({ pgid: user?.project?.gid, cgid: user?.chatbot?.gid }, true).catch(() => undefined)
}

/** Clears the open chatbot, or everything (SPEC.md 4). */
export function resetAccount(part: 'chatbot' | 'all') {
  loading = null
  if (part === 'all') return useAccountStore.setState(nobody)
  useAccountStore.setState(({ account }) => ({
    account: account && {
      ...account,
      user: { ...account.user, chatbot: null },
    },
  }))
}

type User = Account['user']

/** Changes the loaded user locally, e.g. after a rename. */
function changeUser(change: (user: User) => Partial<User>) {
  useAccountStore.setState(({ account }) => ({
    account: account && {
      ...account,
      user: { ...account.user, ...change(account.user) },
    },
  }))
}

/** What the server answers to a change of the account's settings. */
export const settingsChanged = (settings: User['settings']) => changeUser(() => ({ settings }))

/** SPEC.md 4: an empty name is ignored; the projects list is updated, too. */
export function projectRenamed(gid: string, name: string) {
  if (!name.trim()) return
  const renamed = <P extends { gid: string; name: string }>(project: P) =>
    project.gid === gid ? { ...project, name } : project
  changeUser(({ project, projects }) => ({
    project: project && renamed(project),
    projects: projects.map(renamed),
  }))
}

/** SPEC.md 4: adds it at the start or the end of the chatbots list, and updates the usage. */
export function chatbotAdded({ gid, name, version, sample }: User['chatbots'][number], at: 'start' | 'end' = 'end') {
  const added = { gid, name, version, sample }
  changeUser(({ chatbots, usage }) => ({
    chatbots: at === 'start' ? [added, ...chatbots] : [...chatbots, added],
    usage: {
      ...usage,
      chatbots: { ...usage.chatbots, used: usage.chatbots.used + 1 },
    },
  }))
}

export function chatbotRenamed(gid: string, name: string) {
  changeUser(({ chatbots, chatbot }) => ({
    chatbots: chatbots.map((entry) => (entry.gid === gid ? { ...entry, name } : entry)),
    chatbot: chatbot?.gid === gid ? { ...chatbot, name } : chatbot,
  }))
}

export function chatbotRemoved(gid: string) {
  changeUser(({ chatbots, chatbot, usage }) => ({
    chatbots: chatbots.filter((entry) => entry.gid !== gid),
    chatbot: chatbot?.gid === gid ? null : chatbot,
    usage: {
      ...usage,
      chatbots: {
        ...usage.chatbots,
        // a sample was not counted
        used: Math.max(0, usage.chatbots.used - (chatbots.some((entry) => entry.gid === gid && entry.sample) ? 0 : 1)),
      },
    },
  }))
}

/** Ends the session, then clears the account (SPEC.md 7). Throws ApiFailure with the text of SPEC.md 8. */
export async function logOut() {
  try {
    await callRoute(logout, { handleUnauthenticated: false })
  } catch (error) {
    const already = error instanceof ApiFailure && error.status === 401
    if (!already) throw new ApiFailure(i18next.t('errors.logout'), { cause: error })
  }
  resetAccount('all')
}

/** Whether the loaded roles allow `group.feature` (SPEC.md 6). */
export const useCan = (feature: string): boolean =>
  useAccountStore(({ account, featureRoles }) => isAllowed(feature, account?.user.project_roles ?? [], featureRoles))

/** The loaded account. Throws if there is none: only for components inside the pages that load it. */
export function useAccount(): Account {
  const account = useAccountStore((state) => state.account)
  if (!account) throw new Error('The account is not loaded here')
  return account
}

/** Whether limits are hidden: the self-hosted plan's are never reached. */
export const useUnlimited = (): boolean =>
  useAccountStore(({ account }) => account?.user.subscription.plan_id === SELF_HOSTED)
