import { type Answer, Refusal } from '../call'
import type { RefusalKind } from '../standIn'

type Type = 'api_error' | 'card_error' | 'idempotency_error' | 'invalid_request_error'

export const stripeError = (
  status: number,
  type: Type,
  message: string,
  more: { code?: string; param?: string } = {},
): Answer => ({ status, body: { error: { type, message, ...more } } })

export const refuseStripe = (message: string, more: { code?: string; param?: string } = {}, status = 400): Refusal =>
  new Refusal(stripeError(status, 'invalid_request_error', message, more))

/** @throws Refusal as Stripe answers an id that there is not */
export const missing = (what: string, id: string, param = 'id'): Refusal =>
  refuseStripe(`No such ${what}: '${id}'`, { code: 'resource_missing', param }, param === 'id' ? 404 : 400)

export function refuseAsStripe(kind: RefusalKind, detail: { retryAfter?: number; message?: string } = {}): Answer {
  switch (kind) {
    case 'unauthorized':
      return stripeError(401, 'invalid_request_error', 'Invalid API Key provided')
    case 'forbidden':
      return stripeError(403, 'invalid_request_error', 'The API key does not have the required permissions.')
    case 'conflict':
      return stripeError(409, 'invalid_request_error', 'Another request uses this object at the moment.', {
        code: 'lock_timeout',
      })
    case 'tooMany':
      return stripeError(429, 'invalid_request_error', 'Request rate limit exceeded.', { code: 'rate_limit' })
    case 'serverError':
      return stripeError(500, 'api_error', 'An unknown error occurred')
    case 'notFound':
      return stripeError(404, 'invalid_request_error', `Unrecognized request URL (${detail.message ?? ''}).`)
    case 'badBody':
      return stripeError(400, 'invalid_request_error', `The request could not be read. ${detail.message ?? ''}`.trim())
  }
}
