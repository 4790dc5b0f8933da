import { z } from 'zod'
import type { Json } from '../../../../engine/values/json'
import { VendorError } from '../calls/vendorError'

const problemSchema = z.object({
  errorCode: z.string().catch(''),
  message: z.string().catch(''),
  fields: z.array(z.string()).catch([]),
})
export const problemsSchema = z.array(problemSchema).min(1)

const NAME = 'Salesforce'

/** What an answer that is no success means: a list of problems, of which the first says why. */
export function explain(status: number, body: Json, about: string): VendorError {
  // an upsert by a value that several records have: a list of their addresses
  if (status === 300) return new VendorError('several', about)
  const { errorCode, message, fields } = problemsSchema.safeParse(body).data?.[0] ?? NOTHING
  // it may be unknown whether such a one was carried out
  if (status >= 500) return new VendorError('unavailable', `status ${status}`, { isUncertain: true })
  const known = causes[errorCode]?.(message || about, fields)
  if (known) return known
  if (status === 401) return new VendorError('reconnect', NAME)
  if (status === 403) return new VendorError('forbidden', message || about)
  if (status === 404) return new VendorError('not_found', about)
  if (status === 429) return new VendorError('busy', NAME)
  return new VendorError('refused', message || errorCode || `status ${status}`)
}
const NOTHING = { errorCode: '', message: '', fields: [] as string[] }

const busy = () => new VendorError('busy', NAME)
const forbidden = (message: string) => new VendorError('forbidden', message)
const exists = (message: string) => new VendorError('exists', message)
const fieldMissing = (message: string) => new VendorError('field_missing', message)

/** What Salesforce's codes mean (contracts/salesforce, “Errors and limits”). */
const causes: Readonly<Record<string, (message: string, fields: string[]) => VendorError>> = {
  REQUIRED_FIELD_MISSING: (message, fields) => new VendorError('field_required', fields.join(', ') || message),
  INVALID_FIELD: fieldMissing,
  INVALID_FIELD_FOR_INSERT_UPDATE: (message) => new VendorError('refused', message),
  MALFORMED_ID: (message) => new VendorError('bad_id', message),
  DUPLICATES_DETECTED: exists,
  DUPLICATE_VALUE: exists,
  INVALID_SESSION_ID: (message) =>
    isOver(message) ? new VendorError('reconnect', NAME) : new VendorError('forbidden', message),
  // another changes the record at the moment: nothing was written
  UNABLE_TO_LOCK_ROW: busy,
  REQUEST_LIMIT_EXCEEDED: (message) => (/^Concurrent/i.test(message) ? busy() : new VendorError('spent', NAME)),
  API_DISABLED_FOR_ORG: () =>
    forbidden('the organisation’s edition has no API. An administrator can add it, or change the edition.'),
  API_CURRENTLY_DISABLED: forbidden,
  INSUFFICIENT_ACCESS: forbidden,
  INSUFFICIENT_ACCESS_OR_READONLY: forbidden,
  INSUFFICIENT_ACCESS_ON_CROSS_REFERENCE_ENTITY: (message) =>
    new VendorError('bad_id', `${message} (there is no such record, or the connected account may not see it)`),
  CANNOT_INSERT_UPDATE_ACTIVATE_ENTITY: forbidden,
}

/** A session may be refused for another reason than its end, which a new token would not change. */
const isOver = (message: string): boolean => !/not valid for use|not attached/i.test(message)

/** Whether a new token is worth a try. */
export function isExpired(body: Json): boolean {
  const { errorCode, message } = problemsSchema.safeParse(body).data?.[0] ?? NOTHING
  return errorCode === '' || (errorCode === 'INVALID_SESSION_ID' && isOver(message))
}

const tokenSchema = z.object({ error: z.string().catch(''), error_description: z.string().catch('') })

/** What the token endpoint's refusal means, where it is not as the standard says. */
export function tokenProblem(body: Json): VendorError | null {
  const { error, error_description: detail } = tokenSchema.safeParse(body).data ?? { error: '', error_description: '' }
  if (error === 'invalid_client_id' || error === 'invalid_client') return new VendorError('client', NAME)
  if (error === 'inactive_user' || error === 'inactive_org') return new VendorError('reconnect', NAME)
  if (error === 'rate_limit_exceeded') return new VendorError('busy', NAME)
  if (error === 'invalid_grant' && /ip restricted/i.test(detail))
    return forbidden('log in from the address of this server. An administrator can allow it.')
  return null
}
