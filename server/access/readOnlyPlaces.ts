import type { ReadOnlyView } from '../contracts/limits'
import type { Feature } from '../contracts/route'
import { type Counted, overOf, type Places } from './overLimit'
import { isAllowed } from './roles'

/** Who may see what counts towards a limit. */
const features: Record<Counted, Feature> = {
  chatbots: 'chatbots.view',
  seats: 'members.view',
  custom_domains: 'custom_domain.view',
}

/** The places that roles may see. */
export const seenBy = (roles: readonly number[], all: readonly Places[]): Places[] =>
  all.filter(({ limit }) => isAllowed(roles, features[limit]))

/** What of the places is over, by name; a limit that nothing is over is left out. */
export const presentReadOnly = (all: readonly Places[]): ReadOnlyView =>
  all.flatMap(({ limit, max, places }) => {
    const names = overOf({ max, places }).map(({ name }) => name)
    return names.length > 0 ? [{ limit, max, names }] : []
  })
