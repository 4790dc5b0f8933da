import type { StandInOptions } from '../../../../server/sandbox/standIn'
import { type StripeStandIn, startStripeStandIn } from '../../../../server/sandbox/stripe/stripe'
import { type Contract, hasContracts, readContract } from '../contract'

let contract: Contract | undefined

/** @returns the contract of Stripe; undefined where there is none beside the repository */
export function stripeContract(): Contract | undefined {
  if (!hasContracts) return undefined
  contract ??= readContract('stripe/openapi.json')
  return contract
}

/** Starts the stand-in of Stripe, both of whose sides are checked by the contract where there is one. */
export const startStripe = (options: StandInOptions): Promise<StripeStandIn> =>
  startStripeStandIn({ contract: stripeContract(), ...options })
