import type { VendorSettings } from './config/vendorSettings'

/** Vendors' stand-ins that run in this process (server/sandbox). */
export interface StandIns {
  /** the page that leads to each */
  url: string
  /** how they are reached in place of the vendors */
  vendors: VendorSettings
  close(): Promise<void>
}

/**
 * Starts stand-ins of the vendors whose accounts are connected by OAuth. The composition gives it: no module imports
 * them.
 */
export type OpenStandIns = (clock: () => Date) => Promise<StandIns>
