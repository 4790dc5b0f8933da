import { createVendorCaller, type Entrance } from '../modules/integrations/calls/callVendor'
import { createPaces } from '../modules/integrations/calls/pace'
import { VendorError } from '../modules/integrations/calls/vendorError'
import type { Filled } from '../modules/integrations/connections/filled'
import type { Granted } from '../modules/integrations/connections/granted'
import { createTokenCalls } from '../modules/integrations/connections/oauth'
import type { Vendor, VendorCall } from '../modules/integrations/defineVendor'
import type { Limits } from '../platform/http/limits'
import { createPlaces } from '../platform/http/places'
import type { Means } from './vendorCheck'

/** An account, connected by what the variables hold, without a database. */
export interface Connected {
  call: VendorCall
  /** the same calls with a token that is none */
  callAsStranger: VendorCall
  account: { connection: string; id: string; name: string; host: string | null }
}

/** Connects by the vendor's first way by hand, as the screen Integrations does. @throws VendorError */
export async function connectByHand(means: Means, vendor: Vendor, filled: Filled): Promise<Connected> {
  const [way] = vendor.byHand ?? []
  if (!way) throw new Error(`${vendor.name} can't be connected by hand`)
  for (const { name, problem } of way.fields) {
    const wrong = problem(filled[name] ?? '')
    if (wrong !== null) throw new Error(wrong)
  }
  const tokens = createTokenCalls(means.fetch)
  const granted = await way.grant(filled, {
    settings: means.config.vendors,
    now: means.clock(),
    exchange: (url, form) => tokens.exchangeForm(vendor, url, form),
  })
  return connectWith(means, vendor, granted, filled)
}

/** Connects with a token that is there. @throws VendorError */
export async function connectWith(
  means: Means,
  vendor: Vendor,
  { access, answer }: Granted,
  filled: Filled = {},
): Promise<Connected> {
  means.hide(access.access)
  const call = callerOf(means, vendor, access)
  const { id, name } = await vendor.identify(call, means.config.vendors, answer, filled)
  await vendor.check(call, means.config.vendors)
  return {
    call,
    callAsStranger: callerOf(means, vendor, { ...access, access: 'not-a-token' }),
    account: { connection: 'check', id, name, host: access.host },
  }
}

function callerOf({ clock, fetch, wait }: Means, vendor: Vendor, access: Granted['access']): VendorCall {
  const callVendor = createVendorCaller(
    { clock },
    { fetch, paces: createPaces({ limits: ownLimits(clock), clock }, wait), wait },
  )
  const entrance: Entrance = {
    key: 'check',
    tokens: async () => access,
    renew: async () => {
      throw new VendorError('reconnect', vendor.name)
    },
  }
  return (request) => callVendor(vendor, entrance, request)
}

/** Limits of this process: nobody else calls with this account for us. */
function ownLimits(clock: () => Date): Pick<Limits, 'places'> {
  const known = new Map<string, ReturnType<typeof createPlaces>>()
  return {
    places(name, windowMs) {
      const own = known.get(name) ?? createPlaces(clock, windowMs)
      known.set(name, own)
      return { enter: async (key, most, wanted) => own.enter(key, most, wanted) }
    },
  }
}
