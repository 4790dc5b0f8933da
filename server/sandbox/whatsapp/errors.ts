import { type Answer, Refusal } from '../call'
import type { RefusalKind } from '../standIn'

const TITLES: Readonly<Record<number, string>> = {
  4: 'Application request limit reached',
  100: 'Invalid parameter',
  190: 'Access token has expired or is invalid',
  131009: 'Parameter value is not valid',
  131026: 'Message undeliverable',
  131047: 'Re-engagement message',
  131051: 'Unsupported message type',
  131056: 'Pair rate limit hit',
  132000: 'Number of parameters does not match the expected number of params',
  132001: 'Template does not exist',
  133005: 'Two step verification PIN mismatch',
  133010: 'Phone number not registered',
}

/** An error as the Graph interface writes it: whoever reads it decides by the code. */
export const graphError = (status: number, code: number, details: string): Answer => ({
  status,
  body: {
    error: {
      message: `(#${code}) ${TITLES[code] ?? 'An error occurred'}`,
      type: 'OAuthException',
      code,
      error_data: { messaging_product: 'whatsapp', details },
      fbtrace_id: 'stand-in',
    },
  },
})

/** An error as it stands in a status of a message that failed later. */
export const statusError = (code: number, details: string) => ({
  code,
  title: TITLES[code] ?? 'An error occurred',
  message: TITLES[code] ?? 'An error occurred',
  error_data: { details },
})

export const refuseGraph = (status: number, code: number, details: string): Refusal =>
  new Refusal(graphError(status, code, details))

export function refuseAsWhatsapp(kind: RefusalKind, detail: { retryAfter?: number; message?: string } = {}): Answer {
  switch (kind) {
    case 'unauthorized':
      return graphError(401, 190, 'The token is not valid.')
    case 'forbidden':
      return graphError(403, 10, 'The permission is missing.')
    case 'conflict':
      return graphError(400, 131056, 'Too many messages to this person.')
    case 'tooMany': {
      const answer = graphError(400, 130429, 'Too many messages a second.')
      return detail.retryAfter === undefined
        ? answer
        : { ...answer, headers: { 'retry-after': `${detail.retryAfter}` } }
    }
    case 'serverError':
      return graphError(500, 131000, 'Something went wrong.')
    case 'notFound':
      return graphError(400, 100, detail.message ?? 'There is no such object.')
    case 'badBody':
      return graphError(400, 100, detail.message ?? 'The body is no JSON.')
  }
}
