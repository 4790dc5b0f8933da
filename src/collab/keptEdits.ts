import { editStoreOf, type KeptStay } from './editStore'
import { openFlows } from './openFlows'
import { livingStays } from './stayLock'

/** Number of an account's unsent edits in this browser, over all flows and tabs. */
export async function unsentOf(user: string): Promise<{ kept: number; inTabAlone: number }> {
  const stays = await editStoreOf(user)
    .stays()
    .catch(() => [])
  return { kept: stays.reduce((sum, { edits }) => sum + edits, 0), inTabAlone: openFlows.inTabAlone() }
}

/** Sessions on this device whose tabs are closed. */
export async function leftBehindOf(user: string): Promise<KeptStay[]> {
  const [stays, living] = await Promise.all([
    editStoreOf(user)
      .stays()
      .catch(() => []),
    livingStays(),
  ])
  return stays.filter(({ id }) => !living.has(id))
}

export const discardStay = (user: string, id: string) => editStoreOf(user).drop([id])
