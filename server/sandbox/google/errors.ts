import { type Answer, Refusal } from '../call'
import type { RefusalKind } from '../standIn'

/** The names that Google gives statuses. */
const STATUS: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  409: 'ABORTED',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
  503: 'UNAVAILABLE',
}

const INFO = 'type.googleapis.com/google.rpc.ErrorInfo'

export const googleError = (status: number, message: string, reason?: string): Answer => ({
  status,
  body: {
    error: {
      code: status,
      message,
      status: STATUS[status] ?? 'UNKNOWN',
      ...(reason && { details: [{ '@type': INFO, reason, domain: 'googleapis.com' }] }),
    },
  },
})

export const refuseGoogle = (status: number, message: string, reason?: string): Refusal =>
  new Refusal(googleError(status, message, reason))

export function refuseAsGoogle(kind: RefusalKind, detail: { retryAfter?: number; message?: string } = {}): Answer {
  switch (kind) {
    case 'unauthorized':
      return googleError(
        401,
        'Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid authentication credential.',
        'ACCESS_TOKEN_EXPIRED',
      )
    case 'forbidden':
      return googleError(403, 'Request had insufficient authentication scopes.', 'ACCESS_TOKEN_SCOPE_INSUFFICIENT')
    case 'conflict':
      return googleError(409, 'The operation was aborted.')
    case 'tooMany': {
      const metric = 'Write requests per minute per user'
      const message = `Quota exceeded for quota metric '${detail.message ?? metric}' of service 'sheets.googleapis.com'.`
      const answer = googleError(429, message, 'RATE_LIMIT_EXCEEDED')
      return detail.retryAfter === undefined
        ? answer
        : { ...answer, headers: { 'retry-after': String(detail.retryAfter) } }
    }
    case 'serverError':
      return googleError(500, 'Internal error encountered.')
    case 'notFound':
      return googleError(404, 'Requested entity was not found.')
    case 'badBody':
      return googleError(400, `Invalid JSON payload received. ${detail.message ?? ''}`.trim())
  }
}
