import { type Answer, Refusal } from '../call'
import type { RefusalKind } from '../standIn'

export const sendgridError = (status: number, message: string, field: string | null = null): Answer => ({
  status,
  body: { errors: [{ message, field, help: {} }] },
})

export const refuseSendgrid = (status: number, message: string, field: string | null = null): Refusal =>
  new Refusal(sendgridError(status, message, field))

export function refuseAsSendgrid(kind: RefusalKind, detail: { retryAfter?: number; message?: string } = {}): Answer {
  switch (kind) {
    case 'unauthorized':
      return sendgridError(401, 'The provided authorization grant is invalid, expired, or revoked')
    case 'forbidden':
      return sendgridError(403, 'access forbidden')
    case 'conflict':
      return sendgridError(409, 'conflict')
    case 'tooMany': {
      const answer = sendgridError(429, 'too many requests')
      const { retryAfter } = detail
      // the time of the reset stands in a header of its own
      return retryAfter === undefined ? answer : { ...answer, headers: { 'x-ratelimit-reset': String(retryAfter) } }
    }
    case 'serverError':
      return sendgridError(500, 'internal server error')
    case 'notFound':
      return sendgridError(404, 'resource not found')
    case 'badBody':
      return sendgridError(400, `Bad Request: ${detail.message ?? 'the body is no JSON'}`)
  }
}
