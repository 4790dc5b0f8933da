import { z } from 'zod'
import { readVendorSettings, vendorVariables } from '../platform/config/vendorSettings'
import type { StandIns } from '../platform/standIns'
import { FIRST_PORT, openVendors } from './openVendors'
import { sandboxVendors } from './vendors'

/** Those whose accounts are connected by OAuth: what else there is, a server reads when it starts. */
const connected = sandboxVendors.filter(({ variables }) => variables.some((name) => name.endsWith('_CLIENT_ID')))

/** Starts the stand-ins that take the vendors' place while a server runs. */
export async function openStandIns(clock: () => Date, firstPort = FIRST_PORT): Promise<StandIns> {
  const known = new Set(Object.keys(vendorVariables))
  const { url, env, close } = await openVendors(connected, { clock, server: null, known, firstPort })
  return { url, vendors: readVendorSettings(z.object(vendorVariables).parse(env)), close }
}
