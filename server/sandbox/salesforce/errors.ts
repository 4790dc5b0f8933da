import { type Answer, Refusal } from '../call'
import type { RefusalKind } from '../standIn'

/** Errors of data calls are a list; those of the log-in are an object (`oauthRefusal`). */
export const salesforceError = (status: number, errorCode: string, message: string, more: object = {}): Answer => ({
  status,
  body: [{ message, errorCode, ...more }],
})

export const refuseSalesforce = (status: number, errorCode: string, message: string, more: object = {}): Refusal =>
  new Refusal(salesforceError(status, errorCode, message, more))

export const noSuchField = (field: string, sobject: string): Refusal =>
  refuseSalesforce(400, 'INVALID_FIELD', `No such column '${field}' on sobject of type ${sobject}`)

export function refuseAsSalesforce(kind: RefusalKind, detail: { retryAfter?: number; message?: string } = {}): Answer {
  switch (kind) {
    case 'unauthorized':
      return salesforceError(401, 'INVALID_SESSION_ID', 'Session expired or invalid')
    case 'forbidden':
      return salesforceError(403, 'INSUFFICIENT_ACCESS', 'insufficient access rights on object id')
    case 'conflict':
      // two that write one record: worth another try
      return salesforceError(400, 'UNABLE_TO_LOCK_ROW', 'unable to obtain exclusive access to this record')
    case 'tooMany': {
      const answer = salesforceError(403, 'REQUEST_LIMIT_EXCEEDED', 'TotalRequests Limit exceeded.')
      const { retryAfter } = detail
      return retryAfter === undefined ? answer : { ...answer, headers: { 'retry-after': String(retryAfter) } }
    }
    case 'serverError':
      return salesforceError(503, 'SERVER_UNAVAILABLE', 'The server is unavailable to handle your request')
    case 'notFound':
      return salesforceError(404, 'NOT_FOUND', 'The requested resource does not exist')
    case 'badBody':
      return salesforceError(400, 'JSON_PARSER_ERROR', detail.message ?? 'The request body is no JSON')
  }
}
