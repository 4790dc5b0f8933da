import { startCalendlyStandIn } from '../sandbox/calendly/calendly'
import { startGoogleStandIn } from '../sandbox/google/google'
import { startHubspotStandIn } from '../sandbox/hubspot/hubspot'
import { startSalesforceStandIn } from '../sandbox/salesforce/salesforce'
import { startSendgridStandIn } from '../sandbox/sendgrid/sendgrid'
import type { StandIn, StandInOptions } from '../sandbox/standIn'
import { startZendeskStandIn } from '../sandbox/zendesk/zendesk'
import type { CheckName } from './checks'

/** A stand-in that runs, and the variables by which a check reaches it in place of the vendor. */
interface Started {
  standIn: StandIn
  env: Record<string, string>
}

/** Starts what a check may run against where nobody has an account: by the check's name. */
export const standIns: Readonly<Record<CheckName, (options: StandInOptions) => Promise<Started>>> = {
  async hubspot(options) {
    const standIn = await startHubspotStandIn(options)
    // as HubSpot's, which finds what is new some seconds later
    standIn.state.searchDelay = 3
    const env = { HUBSPOT_ACCOUNT: String(standIn.state.hubId), HUBSPOT_TOKEN: standIn.issue().accessToken ?? '' }
    return { standIn, env: { ...env, HUBSPOT_API_URL: standIn.origin, HUBSPOT_APP_URL: standIn.origin } }
  },
  async 'google-sheets'(options) {
    const standIn = await startGoogleStandIn(options)
    const key = standIn.addServiceAccount('parley')
    const { id } = standIn.addSpreadsheet({ title: 'Checked', sharedWith: [key.client_email] })
    const { origin } = standIn
    const urls = { GOOGLE_TOKEN_URL: origin, GOOGLE_SHEETS_URL: origin, GOOGLE_DRIVE_URL: origin }
    return { standIn, env: { GOOGLE_KEY: JSON.stringify(key), GOOGLE_SPREADSHEET: id, ...urls } }
  },
  async salesforce(options) {
    const standIn = await startSalesforceStandIn(options)
    const { origin } = standIn
    const env = { SALESFORCE_TOKEN: standIn.issue().accessToken ?? '', SALESFORCE_HOST: origin }
    return { standIn, env: { ...env, SALESFORCE_LOGIN_URL: origin } }
  },
  async zendesk(options) {
    const standIn = await startZendeskStandIn(options)
    const { id, secret } = standIn.client
    const client = { ZENDESK_CHECK_CLIENT_ID: id, ZENDESK_CHECK_CLIENT_SECRET: secret }
    return { standIn, env: { ZENDESK_SUBDOMAIN: 'acme', ...client, ZENDESK_URL: standIn.origin } }
  },
  async calendly(options) {
    const standIn = await startCalendlyStandIn(options)
    const env = { CALENDLY_TOKEN: standIn.issuePersonal().accessToken ?? '', CALENDLY_EMAIL: 'ada@example.com' }
    return { standIn, env: { ...env, CALENDLY_API_URL: standIn.origin, CALENDLY_AUTH_URL: standIn.origin } }
  },
  async sendgrid(options) {
    const standIn = await startSendgridStandIn(options)
    const env = { SENDGRID_API_KEY: standIn.key, MAIL_FROM: 'Parley <parley@example.com>' }
    return { standIn, env: { ...env, SENDGRID_CHECK_TO: 'ada@example.com', SENDGRID_API_URL: standIn.origin } }
  },
}
