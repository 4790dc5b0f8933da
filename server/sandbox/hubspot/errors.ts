import { type Answer, Refusal } from '../call'
import type { RefusalKind } from '../standIn'

interface Detail {
  message: string
  code?: string
  in?: string
  context?: Record<string, string[]>
}

/** A fixed one: nobody looks it up here. */
const CORRELATION = '00000000-0000-4000-8000-000000000000'

export const hubspotError = (status: number, category: string, message: string, errors?: Detail[]): Answer => ({
  status,
  body: { status: 'error', message, correlationId: CORRELATION, category, ...(errors && { errors }) },
})

export const refuseHubspot = (status: number, category: string, message: string, errors?: Detail[]): Refusal =>
  new Refusal(hubspotError(status, category, message, errors))

export const refuseProperty = (code: string, message: string, name: string): Refusal =>
  refuseHubspot(400, 'VALIDATION_ERROR', `Property values were not valid: ${message}`, [
    { message, code, context: { propertyName: [name] } },
  ])

export function refuseAsHubspot(kind: RefusalKind, detail: { retryAfter?: number; message?: string } = {}): Answer {
  switch (kind) {
    case 'unauthorized':
      return hubspotError(401, 'EXPIRED_AUTHENTICATION', 'The OAuth token used to make this call expired.')
    case 'forbidden':
      return hubspotError(403, 'MISSING_SCOPES', 'This app hasn’t been granted all required scopes to make this call.')
    case 'conflict':
      return hubspotError(409, 'CONFLICT', 'Contact already exists. Existing ID: 1')
    case 'tooMany': {
      const policyName = detail.message ?? 'TEN_SECONDLY_ROLLING'
      const name = policyName === 'SECONDLY' ? 'secondly' : 'ten_secondly_rolling'
      const answer = hubspotError(429, 'RATE_LIMITS', `You have reached your ${name} limit.`)
      const body = { ...(answer.body as object), errorType: 'RATE_LIMIT', policyName }
      const headers = detail.retryAfter === undefined ? undefined : { 'retry-after': String(detail.retryAfter) }
      return { status: 429, headers, body }
    }
    case 'serverError':
      return hubspotError(500, 'INTERNAL_ERROR', 'internal error')
    case 'notFound':
      return hubspotError(404, 'OBJECT_NOT_FOUND', 'Object not found.')
    case 'badBody':
      return hubspotError(400, 'VALIDATION_ERROR', `Invalid input JSON: ${detail.message ?? ''}`)
  }
}
