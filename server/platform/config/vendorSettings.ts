import { z } from 'zod'
import { StartError } from '../database/startError'
import { isAddress, isKey } from './aiSettings'

/** Our client at a vendor, by which people let us in (OAuth). */
export interface VendorClient {
  id: string
  secret: string
}

/** How vendors are reached. Addresses are without a trailing slash. */
export interface VendorSettings {
  /** the page of the stand-ins that take the vendors' place (server/sandbox); null: vendors are real */
  sandbox: string | null
  google: {
    /** null: nobody can connect Google Sheets */
    client: VendorClient | null
    /** the page where people consent */
    accountsUrl: string
    tokenUrl: string
    sheetsUrl: string
    driveUrl: string
  }
  hubspot: {
    client: VendorClient | null
    /** where people consent, and open records */
    appUrl: string
    apiUrl: string
  }
  salesforce: {
    client: VendorClient | null
    /** where people consent, and tokens are exchanged: of production, of sandboxes, or of one organisation */
    loginUrl: string
  }
  zendesk: {
    client: VendorClient | null
    /** instead of each account's own address */
    url: string | null
  }
  calendly: {
    client: VendorClient | null
    /** where people consent, and tokens are exchanged */
    authUrl: string
    apiUrl: string
    /** of our client: what its webhooks are signed with; null: only those of personal tokens can be believed */
    signingKey: string | null
  }
  whatsapp: {
    /** of the Graph interface */
    apiUrl: string
    /** such as v24.0; Meta ends a version some two years after its release */
    version: string
    /** our app at Meta, by which people connect numbers (Embedded Signup), and its configuration; null: only by hand */
    signup: { client: VendorClient; configuration: string } | null
    /** where people consent */
    dialogUrl: string
    /** JSON that the sandbox sets: values to fill the form of a connection with */
    example: string | null
  }
}

const address = (standard: string) =>
  z
    .string()
    .default(standard)
    .refine(isAddress, `give an address, such as ${standard}`)
    .transform((url) => url.replace(/\/+$/, ''))
const key = z.string().trim().optional()

/** The variables about vendors, for the table of all settings. */
export const vendorVariables = {
  GOOGLE_CLIENT_ID: key,
  GOOGLE_CLIENT_SECRET: key,
  GOOGLE_ACCOUNTS_URL: address('https://accounts.google.com'),
  GOOGLE_TOKEN_URL: address('https://oauth2.googleapis.com'),
  GOOGLE_SHEETS_URL: address('https://sheets.googleapis.com'),
  GOOGLE_DRIVE_URL: address('https://www.googleapis.com'),
  HUBSPOT_CLIENT_ID: key,
  HUBSPOT_CLIENT_SECRET: key,
  HUBSPOT_APP_URL: address('https://app.hubspot.com'),
  HUBSPOT_API_URL: address('https://api.hubapi.com'),
  SALESFORCE_CLIENT_ID: key,
  SALESFORCE_CLIENT_SECRET: key,
  SALESFORCE_LOGIN_URL: address('https://login.salesforce.com'),
  ZENDESK_CLIENT_ID: key,
  ZENDESK_CLIENT_SECRET: key,
  ZENDESK_URL: z
    .string()
    .optional()
    .refine((url) => url === undefined || isAddress(url), 'give an address, such as http://127.0.0.1:4784')
    .transform((url) => url?.replace(/\/+$/, '') ?? null),
  CALENDLY_CLIENT_ID: key,
  CALENDLY_CLIENT_SECRET: key,
  CALENDLY_AUTH_URL: address('https://auth.calendly.com'),
  CALENDLY_API_URL: address('https://api.calendly.com'),
  CALENDLY_SIGNING_KEY: key,
  WHATSAPP_API_URL: address('https://graph.facebook.com'),
  WHATSAPP_API_VERSION: z
    .string()
    .default('v24.0')
    .refine((version) => /^v\d{2}\.\d$/.test(version), 'give a version of the Graph interface, such as v24.0'),
  WHATSAPP_CLIENT_ID: key,
  WHATSAPP_CLIENT_SECRET: key,
  WHATSAPP_SIGNUP_CONFIG: key,
  WHATSAPP_DIALOG_URL: address('https://www.facebook.com'),
  WHATSAPP_EXAMPLE: z.string().optional(),
} as const

type Given = z.output<z.ZodObject<typeof vendorVariables>>

/** @throws StartError if half of a client is missing */
export function readVendorSettings(given: Given): VendorSettings {
  return {
    sandbox: null,
    google: {
      client: readClient('GOOGLE', given.GOOGLE_CLIENT_ID, given.GOOGLE_CLIENT_SECRET),
      accountsUrl: given.GOOGLE_ACCOUNTS_URL,
      tokenUrl: given.GOOGLE_TOKEN_URL,
      sheetsUrl: given.GOOGLE_SHEETS_URL,
      driveUrl: given.GOOGLE_DRIVE_URL,
    },
    hubspot: {
      client: readClient('HUBSPOT', given.HUBSPOT_CLIENT_ID, given.HUBSPOT_CLIENT_SECRET),
      appUrl: given.HUBSPOT_APP_URL,
      apiUrl: given.HUBSPOT_API_URL,
    },
    salesforce: {
      client: readClient('SALESFORCE', given.SALESFORCE_CLIENT_ID, given.SALESFORCE_CLIENT_SECRET),
      loginUrl: given.SALESFORCE_LOGIN_URL,
    },
    zendesk: {
      client: readClient('ZENDESK', given.ZENDESK_CLIENT_ID, given.ZENDESK_CLIENT_SECRET),
      url: given.ZENDESK_URL,
    },
    calendly: {
      client: readClient('CALENDLY', given.CALENDLY_CLIENT_ID, given.CALENDLY_CLIENT_SECRET),
      authUrl: given.CALENDLY_AUTH_URL,
      apiUrl: given.CALENDLY_API_URL,
      signingKey: given.CALENDLY_SIGNING_KEY || null,
    },
    whatsapp: {
      apiUrl: given.WHATSAPP_API_URL,
      version: given.WHATSAPP_API_VERSION,
      signup: readSignup(given),
      dialogUrl: given.WHATSAPP_DIALOG_URL,
      example: given.WHATSAPP_EXAMPLE ?? null,
    },
  }
}

/** @throws StartError if a part of it is missing */
function readSignup(given: Given): VendorSettings['whatsapp']['signup'] {
  const client = readClient('WHATSAPP', given.WHATSAPP_CLIENT_ID, given.WHATSAPP_CLIENT_SECRET)
  const configuration = given.WHATSAPP_SIGNUP_CONFIG || null
  if ((client === null) !== (configuration === null))
    throw new StartError(
      'Connecting numbers at WhatsApp by consent takes WHATSAPP_CLIENT_ID, WHATSAPP_CLIENT_SECRET and WHATSAPP_SIGNUP_CONFIG: give all three, or leave them out',
    )
  return client && configuration ? { client, configuration } : null
}

function readClient(vendor: string, id?: string, secret?: string): VendorClient | null {
  if (!id && !secret) return null
  const [present, missing] = id ? ['CLIENT_ID', 'CLIENT_SECRET'] : ['CLIENT_SECRET', 'CLIENT_ID']
  if (!id || !secret)
    throw new StartError(`${vendor}_${present} is set and ${vendor}_${missing} is not: give both, or leave both out`)
  // the messages of other settings show what is wrong, which a secret's may not
  for (const [name, value] of [
    ['CLIENT_ID', id],
    ['CLIENT_SECRET', secret],
  ] as const)
    if (!isKey(value))
      throw new StartError(`${vendor}_${name} holds characters that it can’t have: give it in one line, without quotes`)
  return { id, secret }
}
