import type { ServerContext } from '../../platform/context'
import { createBookingRows } from './calendly/bookingRows'
import { createBookingsHandler } from './calendly/bookingsHandler'
import { createHooks } from './calendly/hooks'
import { createVendorCaller } from './calls/callVendor'
import { createPaces, type Wait, waitByTimer } from './calls/pace'
import { createVendorFetch } from './calls/vendorFetch'
import { createAccounts } from './connections/accounts'
import { tellOfBroken } from './connections/mailBroken'
import { createTokenCalls } from './connections/oauth'
import { createCrmHandler } from './crm/crmHandler'
import { createSheetsHandler } from './google-sheets/sheetsHandler'
import { hubspotCrm } from './hubspot/records'
import { createSalesforceCrm } from './salesforce/records'
import { createTurns } from './turns'
import { createVisitorFiles } from './visitorFiles'
import { createWrites } from './writes'
import { createTicketHandler } from './zendesk/ticketHandler'

/**
 * Makes what one process has of connections once.
 * @param options.wait replaces the timer, for tests
 * @param options.timeoutMs how long an answer may take, for tests
 */
export function createIntegrations(
  context: ServerContext,
  { wait = waitByTimer, timeoutMs }: { wait?: Wait; timeoutMs?: number } = {},
) {
  const fetch = createVendorFetch(context, timeoutMs)
  const tokens = createTokenCalls(fetch)
  const callVendor = createVendorCaller(context, { fetch, paces: createPaces(context, wait), wait })
  const accounts = createAccounts(context, { tokens, callVendor, onBroken: tellOfBroken(context) })
  const writes = createWrites(context)
  const sheets = createSheetsHandler(context, { accounts, writes, turns: createTurns(context, 'sheet rows') })
  const crms = { hubspot: hubspotCrm, salesforce: createSalesforceCrm(context) }
  const crm = createCrmHandler(context, crms, { accounts, writes, turns: createTurns(context, 'crm keys'), wait })
  const ticket = createTicketHandler(context, { accounts, writes, visitorFiles: createVisitorFiles(context) })
  const rows = createBookingRows(context)
  const hooks = createHooks(context, accounts)
  const bookings = createBookingsHandler(context, { accounts, writes, rows, hooks, wait })
  return { tokens, accounts, writes, sheets, crm, ticket, bookings, bookingRows: rows, hooks }
}
export type Integrations = ReturnType<typeof createIntegrations>
