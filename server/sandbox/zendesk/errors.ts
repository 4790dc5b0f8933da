import { type Answer, Refusal } from '../call'
import type { RefusalKind } from '../standIn'

/** Zendesk says `error` as a text in most places, and as an object in some. */
export const zendeskError = (
  status: number,
  error: string | { title: string; message: string },
  more: object = {},
): Answer => ({
  status,
  body: { error, ...more },
})

export const refuseZendesk = (
  status: number,
  error: string | { title: string; message: string },
  more: object = {},
): Refusal => new Refusal(zendeskError(status, error, more))

/** A record that can't be saved, with why, field by field. */
export const refuseRecord = (field: string, description: string, error = 'InvalidValue'): Refusal =>
  refuseZendesk(422, 'RecordInvalid', {
    description: 'Record validation errors',
    details: { [field]: [{ description, error }] },
  })

export function refuseAsZendesk(kind: RefusalKind, detail: { retryAfter?: number; message?: string } = {}): Answer {
  switch (kind) {
    case 'unauthorized':
      return zendeskError(401, 'invalid_token', {
        error_description: 'The access token provided is expired, revoked, malformed or invalid for other reasons.',
      })
    case 'forbidden':
      return zendeskError(403, { title: 'Forbidden', message: 'You do not have access to this page.' })
    case 'conflict':
      return zendeskError(409, 'UpdateConflict', {
        description: 'Safe Update prevented the update due to outdated ticket data.',
      })
    case 'tooMany': {
      const answer = zendeskError(429, 'APIRateLimitExceeded', {
        description: 'Number of allowed API requests per minute exceeded',
      })
      const { retryAfter } = detail
      return retryAfter === undefined ? answer : { ...answer, headers: { 'retry-after': String(retryAfter) } }
    }
    case 'serverError':
      return zendeskError(500, { title: 'Internal Server Error', message: 'Something went wrong' })
    case 'notFound':
      return zendeskError(404, 'RecordNotFound', { description: 'Not found' })
    case 'badBody':
      return zendeskError(422, 'Unprocessable Entity', {
        message: `Server could not parse JSON: ${detail.message ?? ''}`,
      })
  }
}
