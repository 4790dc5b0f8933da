import { startCalendlyStandIn } from './calendly/calendly'
import { startGoogleStandIn } from './google/google'
import { startHubspotStandIn } from './hubspot/hubspot'
import { startSalesforceStandIn } from './salesforce/salesforce'
import { startSendgridStandIn } from './sendgrid/sendgrid'
import type { StandIn, StandInOptions } from './standIn'
import { startStripeStandIn } from './stripe/stripe'
import { startWhatsappStandIn } from './whatsapp/whatsapp'
import { startZendeskStandIn } from './zendesk/zendesk'

/** A vendor of the sandbox. */
export interface SandboxVendor {
  name: string
  /** what its page shows, for the page of all vendors */
  shows: string
  /** variables by which the server is told to talk to the stand-in; they are also those of a real client */
  variables: readonly string[]
  /**
   * Starts it with something to try, and says what the variables are.
   * @param server where Parley is reached on this machine; null: not known before it starts
   */
  start(options: StandInOptions, server: string | null): Promise<{ standIn: StandIn; env: Record<string, string> }>
}

const clientOf = (name: string, { id, secret }: { id: string; secret: string }) => ({
  [`${name}_CLIENT_ID`]: id,
  [`${name}_CLIENT_SECRET`]: secret,
})
const at = (names: readonly string[], { origin }: StandIn) => Object.fromEntries(names.map((name) => [name, origin]))
const clientVariables = (name: string) => [`${name}_CLIENT_ID`, `${name}_CLIENT_SECRET`]

const GOOGLE_URLS = ['GOOGLE_ACCOUNTS_URL', 'GOOGLE_TOKEN_URL', 'GOOGLE_SHEETS_URL', 'GOOGLE_DRIVE_URL']
const HUBSPOT_URLS = ['HUBSPOT_APP_URL', 'HUBSPOT_API_URL']
const SALESFORCE_URLS = ['SALESFORCE_LOGIN_URL']
const ZENDESK_URLS = ['ZENDESK_URL']
const CALENDLY_URLS = ['CALENDLY_AUTH_URL', 'CALENDLY_API_URL']
const WHATSAPP_URLS = ['WHATSAPP_API_URL', 'WHATSAPP_DIALOG_URL']
const SENDGRID_URLS = ['SENDGRID_API_URL']
const STRIPE_URLS = ['STRIPE_API_BASE']

/** All vendors of the sandbox, in the order of its page. */
export const sandboxVendors: readonly SandboxVendor[] = [
  {
    name: 'Google',
    shows: 'spreadsheets and their rows',
    variables: [...clientVariables('GOOGLE'), ...GOOGLE_URLS],
    async start(options) {
      const google = await startGoogleStandIn(options)
      const orders = [
        ['Order', 'Name', 'Email', 'Status'],
        ['1001', 'Ben', 'ben@sandbox.example', 'sent'],
        ['1002', 'Cleo', 'cleo@sandbox.example', 'packed'],
      ]
      google.addSpreadsheet({ title: 'Orders (sandbox)', tabs: { Orders: orders }, picked: true })
      google.addSpreadsheet({
        title: 'Leads (sandbox)',
        tabs: { Leads: [['Name', 'Email', 'Question']] },
        picked: true,
      })
      google.addSpreadsheet({
        title: 'Feedback (sandbox)',
        tabs: { Feedback: [['Date', 'Rating', 'Comment']] },
        picked: true,
      })
      return { standIn: google, env: { ...clientOf('GOOGLE', google.client), ...at(GOOGLE_URLS, google) } }
    },
  },
  {
    name: 'HubSpot',
    shows: 'contacts, companies and tickets',
    variables: [...clientVariables('HUBSPOT'), ...HUBSPOT_URLS],
    async start(options) {
      const hubspot = await startHubspotStandIn(options)
      hubspot.add('companies', { name: 'Acme (sandbox)', domain: 'acme.example' })
      hubspot.add('contacts', { email: 'ben@sandbox.example', firstname: 'Ben' })
      return { standIn: hubspot, env: { ...clientOf('HUBSPOT', hubspot.client), ...at(HUBSPOT_URLS, hubspot) } }
    },
  },
  {
    name: 'Salesforce',
    shows: 'accounts, contacts, cases and articles',
    variables: [...clientVariables('SALESFORCE'), ...SALESFORCE_URLS],
    async start(options) {
      const salesforce = await startSalesforceStandIn(options)
      salesforce.add('Account', { Name: 'Acme (sandbox)' })
      salesforce.add('Knowledge__kav', {
        Title: 'How to return an order',
        Answer__c: '<p>Send it back in 30 days.</p>',
        Notes__c: '<p>Ask for the order first.</p>',
      })
      salesforce.add('Knowledge__kav', { Title: 'Prices that we pay', IsVisibleInPkb: false })
      return {
        standIn: salesforce,
        env: { ...clientOf('SALESFORCE', salesforce.client), ...at(SALESFORCE_URLS, salesforce) },
      }
    },
  },
  {
    name: 'Zendesk',
    shows: 'tickets, which you answer there, and articles of the Help Center',
    variables: [...clientVariables('ZENDESK'), ...ZENDESK_URLS],
    async start(options) {
      const zendesk = await startZendeskStandIn(options)
      zendesk.addArticle({ title: 'How to return an order', body: '<p>Send it back in 30 days.</p>' })
      zendesk.addArticle({ title: 'Prices that we pay', body: '<p>Only for the team.</p>', userSegmentId: 1 })
      return { standIn: zendesk, env: { ...clientOf('ZENDESK', zendesk.client), ...at(ZENDESK_URLS, zendesk) } }
    },
  },
  {
    name: 'Calendly',
    shows: 'kinds of events, pages on which one books, and bookings',
    variables: [...clientVariables('CALENDLY'), 'CALENDLY_SIGNING_KEY', ...CALENDLY_URLS],
    async start(options) {
      const calendly = await startCalendlyStandIn(options)
      const env = { ...clientOf('CALENDLY', calendly.client), CALENDLY_SIGNING_KEY: calendly.state.signingKey }
      return { standIn: calendly, env: { ...env, ...at(CALENDLY_URLS, calendly) } }
    },
  },
  {
    name: 'SendGrid',
    shows: 'mails, none of which leaves this machine',
    variables: ['SENDGRID_API_KEY', 'SENDGRID_WEBHOOK_KEY', ...SENDGRID_URLS],
    async start(options, server) {
      const sendgrid = await startSendgridStandIn(options)
      sendgrid.state.senders.push('@sandbox.example')
      if (server !== null) sendgrid.addWebhook(`${server}/api/mail-events/sendgrid`)
      const env = {
        SENDGRID_API_KEY: sendgrid.key,
        SENDGRID_WEBHOOK_KEY: sendgrid.state.signing.publicKey,
        MAIL_FROM: 'Parley <parley@sandbox.example>',
        ...at(SENDGRID_URLS, sendgrid),
      }
      return { standIn: sendgrid, env }
    },
  },
  {
    name: 'WhatsApp',
    shows: 'phones that write to your chatbot, with buttons, lists, read marks and the 24 hours',
    variables: [...clientVariables('WHATSAPP'), ...WHATSAPP_URLS, 'WHATSAPP_SIGNUP_CONFIG', 'WHATSAPP_EXAMPLE'],
    async start(options) {
      const whatsapp = await startWhatsappStandIn(options)
      whatsapp.phones.add('Ben', '447700900123')
      whatsapp.phones.add('Cleo, who hides her number', null)
      const { appId, appSecret, configuration, businessId, numbers, token } = whatsapp.state
      // what its form is filled with at a press, as one would copy it from the vendor's pages
      const example = JSON.stringify({
        ...{ appId, appSecret, businessId, token, pin: '123456' },
        numberIds: numbers.map(({ id }) => id),
      })
      const app = {
        WHATSAPP_CLIENT_ID: appId,
        WHATSAPP_CLIENT_SECRET: appSecret,
        WHATSAPP_SIGNUP_CONFIG: configuration,
      }
      return { standIn: whatsapp, env: { ...app, ...at(WHATSAPP_URLS, whatsapp), WHATSAPP_EXAMPLE: example } }
    },
  },
  {
    name: 'Stripe',
    shows: 'subscriptions, whose time you move on, cards, invoices and promotion codes',
    variables: ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET', ...STRIPE_URLS],
    async start(options, server) {
      const stripe = await startStripeStandIn(options)
      stripe.addPromotion('WELCOME20', 20)
      if (server !== null) stripe.addWebhook(`${server}/api/billing/stripe`)
      const env = { STRIPE_SECRET_KEY: stripe.key, STRIPE_WEBHOOK_SECRET: stripe.webhookSecret }
      return { standIn: stripe, env: { ...env, ...at(STRIPE_URLS, stripe) } }
    },
  },
]
