import type { StandInOptions } from '../../../../server/sandbox/standIn'
import { startZendeskStandIn, type ZendeskStandIn } from '../../../../server/sandbox/zendesk/zendesk'
import { type Contract, hasContracts, readContract } from '../contract'
import { onlyOurs } from '../ourCalls'
import { OUR_PATHS } from './ourContract'

let contract: Contract | undefined

/** @returns the contract of Zendesk; undefined where there is none beside the repository */
export function zendeskContract(): Contract | undefined {
  if (hasContracts) contract ??= onlyOurs('zendesk', readContract('zendesk/openapi.json', { additions: OUR_PATHS }))
  return contract
}

/** Starts the stand-in of Zendesk, both of whose sides are checked by the contract where there is one. */
export const startZendesk = (options: StandInOptions): Promise<ZendeskStandIn> =>
  startZendeskStandIn({ contract: zendeskContract(), ...options })
