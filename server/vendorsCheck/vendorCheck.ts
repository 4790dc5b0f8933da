import type { Wait } from '../modules/integrations/calls/pace'
import type { VendorAnswer, VendorFetch } from '../modules/integrations/calls/vendorFetch'
import type { Config } from '../platform/config/config'
import type { Report } from './report'

/** A variable that whoever runs the check sets. */
export interface CheckVariable {
  name: string
  what: string
  /** never printed, wherever it comes up */
  isSecret?: true
  isOptional?: true
}

/** What a check is given. */
export interface Means {
  /** a variable's value; empty where an optional one is not set */
  value: (name: string) => string
  config: Config
  clock: () => Date
  wait: Wait
  fetch: VendorFetch
  /** what the vendor answered last */
  last: () => VendorAnswer | null
  /** from now on never printed */
  hide: (secret: string) => void
}

/** What is done at the vendor once the person has agreed. */
export interface Work {
  report: Report
  /** unlike any other, in the name of all that is made */
  mark: string
  /** Has something taken away in the end, whatever happens; the last made goes first. */
  afterwards: (what: string, undo: () => Promise<unknown>) => void
  /** Asks the person, where somebody is there to ask; null: nobody is. */
  ask: (question: string) => Promise<boolean | null>
}

/** What only a real account can show of a vendor. */
export interface VendorCheck {
  name: string
  variables: readonly CheckVariable[]
  /** what is written to the account, and what stays of it */
  writes: string
  /** Gets in. Nothing is written yet. @returns whose account it is, and what follows */
  open: (means: Means) => Promise<{ account: string; run: (work: Work) => Promise<void> }>
}
