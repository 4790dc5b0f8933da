import { calendlyCheck } from './calendly'
import { googleSheetsCheck } from './googleSheets'
import { hubspotCheck } from './hubspot'
import { salesforceCheck } from './salesforce'
import { sendgridCheck } from './sendgrid'
import type { VendorCheck } from './vendorCheck'
import { zendeskCheck } from './zendesk'

/** All checks, by the word that the command takes. */
export const checks = {
  hubspot: hubspotCheck,
  'google-sheets': googleSheetsCheck,
  salesforce: salesforceCheck,
  zendesk: zendeskCheck,
  calendly: calendlyCheck,
  sendgrid: sendgridCheck,
} as const satisfies Record<string, VendorCheck>
export type CheckName = keyof typeof checks
