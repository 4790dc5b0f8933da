import { type CalendlyStandIn, startCalendlyStandIn } from '../../../../server/sandbox/calendly/calendly'
import type { StandInOptions } from '../../../../server/sandbox/standIn'
import { type Contract, hasContracts, readContract } from '../contract'
import { onlyOurs } from '../ourCalls'

let contract: Contract | undefined

/** @returns the contract of Calendly; undefined where there is none beside the repository */
export function calendlyContract(): Contract | undefined {
  if (hasContracts) contract ??= onlyOurs('calendly', readContract('calendly/openapi.json'))
  return contract
}

/** Starts the stand-in of Calendly, both of whose sides are checked by the contract where there is one. */
export const startCalendly = (options: StandInOptions): Promise<CalendlyStandIn> =>
  startCalendlyStandIn({ contract: calendlyContract(), ...options })
