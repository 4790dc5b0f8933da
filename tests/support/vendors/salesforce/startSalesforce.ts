import {
  type SalesforceOptions,
  type SalesforceStandIn,
  startSalesforceStandIn,
} from '../../../../server/sandbox/salesforce/salesforce'
import { type Contract, hasContracts, readContract } from '../contract'
import { onlyOurs } from '../ourCalls'

let contract: Contract | undefined

/** @returns the contract of Salesforce; undefined where there is none beside the repository */
export function salesforceContract(): Contract | undefined {
  if (hasContracts) contract ??= onlyOurs('salesforce', readContract('salesforce/openapi.json'))
  return contract
}

/** Starts the stand-in of Salesforce, both of whose sides are checked by the contract where there is one. */
export const startSalesforce = (options: SalesforceOptions): Promise<SalesforceStandIn> =>
  startSalesforceStandIn({ contract: salesforceContract(), ...options })
