import { type HubspotStandIn, startHubspotStandIn } from '../../../../server/sandbox/hubspot/hubspot'
import type { StandInOptions } from '../../../../server/sandbox/standIn'
import { type Contract, hasContracts, readContract } from '../contract'
import { onlyOurs } from '../ourCalls'

let contract: Contract | undefined

/** @returns HubSpot's contract; undefined where there is none beside the repository */
export function hubspotContract(): Contract | undefined {
  if (hasContracts) contract ??= onlyOurs('hubspot', readContract('hubspot/openapi.json', { closes: true }))
  return contract
}

/** Starts the stand-in of HubSpot, both of whose sides are checked by the contract where there is one. */
export const startHubspot = (options: StandInOptions): Promise<HubspotStandIn> =>
  startHubspotStandIn({ contract: hubspotContract(), ...options })
