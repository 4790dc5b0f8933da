import { z } from 'zod'
import type { Json } from '../../../../engine/values/json'
import { VendorError } from '../calls/vendorError'
import { defineVendor, type VendorRequest } from '../defineVendor'
import { listColumns, listSpreadsheets, listTabs } from './choices'
import { byServiceAccount } from './serviceAccount'

const SHEETS = 'https://www.googleapis.com/auth/spreadsheets'
/** To list files, of which Google shows those that were opened or made with our client. */
const FILES = 'https://www.googleapis.com/auth/drive.file'
const MINUTE = 60_000

export const googleSheets = defineVendor({
  slug: 'google-sheets',
  name: 'Google Sheets',
  oauth: ({ google }) => ({
    client: google.client,
    authorizeUrl: `${google.accountsUrl}/o/oauth2/v2/auth`,
    tokenUrl: `${google.tokenUrl}/token`,
    revokeUrl: `${google.tokenUrl}/revoke`,
    scopes: [SHEETS, FILES],
    needed: { [SHEETS]: 'to see and edit spreadsheets' },
    // a refresh token comes only with offline access, and the second time only with another consent
    extra: { access_type: 'offline', prompt: 'consent', include_granted_scopes: 'true' },
  }),
  byHand: [byServiceAccount([SHEETS, FILES])],
  // the quota of a user; that of the whole client is five times that
  paces: {
    read: { bucket: 'read', most: 60, windowMs: MINUTE },
    write: { bucket: 'write', most: 60, windowMs: MINUTE },
  },
  explain,
  async identify(call, { google }) {
    const { user } = aboutSchema.parse(await call(about(google.driveUrl)))
    return { id: user.permissionId ?? user.emailAddress ?? 'unknown', name: user.emailAddress ?? user.displayName }
  },
  async check(call, { google }) {
    await call(about(google.driveUrl))
  },
  choices: { spreadsheets: listSpreadsheets, tabs: listTabs, columns: listColumns },
})

const about = (driveUrl: string): VendorRequest => ({
  method: 'GET',
  url: `${driveUrl}/drive/v3/about`,
  query: { fields: 'user' },
  kind: 'read',
})

const aboutSchema = z.object({
  user: z
    .object({
      permissionId: z.string().max(200).optional(),
      emailAddress: z.string().max(320).optional(),
      displayName: z.string().max(320).default('Google account'),
    })
    .default({ displayName: 'Google account' }),
})

const errorSchema = z.object({
  error: z.object({
    message: z.string().catch(''),
    status: z.string().catch(''),
    errors: z.array(z.object({ reason: z.string().catch('') })).catch([]),
    details: z.array(z.object({ reason: z.string().catch('') })).catch([]),
  }),
})

/** Limits of Drive come as 403 as well. */
const LIMITED: ReadonlySet<string> = new Set([
  ...['rateLimitExceeded', 'userRateLimitExceeded', 'RATE_LIMIT_EXCEEDED', 'RESOURCE_EXHAUSTED'],
])
const NO_SCOPE: ReadonlySet<string> = new Set(['ACCESS_TOKEN_SCOPE_INSUFFICIENT', 'insufficientPermissions'])

function explain(status: number, body: Json, about: string): VendorError {
  const { message, ...error } = errorSchema.safeParse(body).data?.error ?? {
    message: '',
    status: '',
    errors: [],
    details: [],
  }
  const reasons = [error.status, ...error.errors.map(({ reason }) => reason), ...error.details.map((one) => one.reason)]
  if (status === 429 || reasons.some((reason) => LIMITED.has(reason))) return new VendorError('busy', 'Google Sheets')
  if (status === 401) return new VendorError('reconnect', 'Google Sheets')
  if (status === 403 && reasons.some((reason) => NO_SCOPE.has(reason)))
    return new VendorError('scope', 'to see and edit spreadsheets')
  if (status === 403) return new VendorError('forbidden', message || about)
  if (status === 404) return new VendorError('not_found', about)
  if (status >= 500) return new VendorError('unavailable', `status ${status}`, { isUncertain: true })
  return new VendorError('refused', message || `status ${status}`)
}
