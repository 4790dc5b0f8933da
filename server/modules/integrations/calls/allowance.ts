import type { ServerContext } from '../../../platform/context'
import type { Vendor } from '../defineVendor'
import { VendorError } from './vendorError'
import type { VendorAnswer } from './vendorFetch'

/** The share of an account's calls that is left to its other programs and people. */
const LEFT = 0.05
/** How often one call asks whether there is room again, in ms. */
const ASKS_EVERY = 5 * 60_000

/**
 * Stops before an account's calls of a day are used up, for vendors that say with each answer how many were: others of
 * the organisation need them too. What is known is of this process; each learns it by its own next call.
 */
export function createAllowances({ clock }: Pick<ServerContext, 'clock'>) {
  /** when those that are nearly used up were last asked, by connection */
  const low = new Map<string, number>()

  return {
    /** @throws VendorError spent */
    check(vendor: Vendor, key: string): void {
      const asked = low.get(key)
      if (asked === undefined) return
      const now = clock().getTime()
      if (now - asked < ASKS_EVERY) throw new VendorError('spent', vendor.name)
      low.set(key, now)
    },

    note(vendor: Vendor, key: string, { headers }: VendorAnswer): void {
      const usage = vendor.usageOf?.(headers)
      if (!usage) return
      if (usage.used < usage.most * (1 - LEFT)) low.delete(key)
      else if (!low.has(key)) low.set(key, clock().getTime())
    },
  }
}
