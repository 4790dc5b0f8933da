import { type Answer, Refusal } from '../call'
import type { RefusalKind } from '../standIn'

interface Detail {
  parameter: string
  message: string
}

export const calendlyError = (status: number, title: string, message: string, details?: Detail[]): Answer => ({
  status,
  body: { title, message, ...(details && { details }) },
})

export const refuseCalendly = (status: number, title: string, message: string, details?: Detail[]): Refusal =>
  new Refusal(calendlyError(status, title, message, details))

export const invalid = (parameter: string, message: string): Refusal =>
  refuseCalendly(400, 'Invalid Argument', 'The supplied parameters are invalid.', [{ parameter, message }])

export const notFound = (): Refusal => new Refusal(refuseAsCalendly('notFound'))

export function refuseAsCalendly(kind: RefusalKind, detail: { retryAfter?: number; message?: string } = {}): Answer {
  switch (kind) {
    case 'unauthorized':
      return calendlyError(401, 'Unauthenticated', 'The access token is invalid')
    case 'forbidden':
      return calendlyError(403, 'Permission Denied', 'You do not have permission to access this resource.')
    case 'conflict':
      return calendlyError(409, 'Already Exists', 'Hook with this url already exists')
    case 'tooMany': {
      const answer = calendlyError(429, 'Too Many Requests', 'Too many requests. Please try again later.')
      const { retryAfter } = detail
      return retryAfter === undefined ? answer : { ...answer, headers: { 'x-ratelimit-reset': String(retryAfter) } }
    }
    case 'serverError':
      return calendlyError(500, 'Internal Server Error', 'The server encountered an unexpected condition.')
    case 'notFound':
      return calendlyError(404, 'Resource Not Found', 'The server could not find the requested resource.')
    case 'badBody':
      return calendlyError(400, 'Invalid Argument', `The request body is no JSON. ${detail.message ?? ''}`.trim())
  }
}
