import { z } from 'zod'
import { defineEvent } from '../../platform/events/defineEvent'

const about = z.strictObject({ connection: z.string(), vendor: z.string() })

/** An account at a vendor was connected, or connected again. */
export const integrationConnected = defineEvent('integration.connected', about)
export const integrationDisconnected = defineEvent('integration.disconnected', about)
/** The vendor no longer lets us in. */
export const integrationBroken = defineEvent('integration.broken', about.extend({ problem: z.string() }))
