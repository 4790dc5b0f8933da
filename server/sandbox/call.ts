import type { IncomingHttpHeaders } from 'node:http'
import type { Grant } from './oauth/grants'

/** A request that reached a stand-in, parsed. */
export interface Call {
  method: string
  /** as it was sent, without the query */
  path: string
  /** the values of the route's `{names}`, decoded */
  params: Readonly<Record<string, string>>
  /** a name that occurs several times has an array */
  query: Readonly<Record<string, string | string[]>>
  headers: IncomingHttpHeaders
  /** JSON as it was parsed; a form as an object of texts; bytes of any other type; undefined for none */
  body: unknown
  /** the stand-in's clock */
  at: Date
  /** whose token it bears, once `admit` has found it */
  grant?: Grant
  /** a refresh that the script lets be answered twice: the token that it bears is taken once more */
  answeredTwice?: boolean
}

/** What a stand-in answers: an object is sent as JSON, a text as HTML, undefined as no body. */
export interface Answer {
  status: number
  headers?: Record<string, string>
  body?: unknown
}

/** What a test sees of a call that was answered. */
export interface RecordedCall extends Call {
  /** null: the connection was cut */
  status: number | null
}

/** A vendor's own "no". Thrown by handlers, at any depth, before they have changed anything. */
export class Refusal extends Error {
  constructor(readonly answer: Answer) {
    super(`refused with ${answer.status}`)
  }
}

/** @returns a query's only value; the last one of several */
export const one = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value.at(-1) : value

/** @returns all values of a name that may occur several times */
export const many = (value: string | string[] | undefined): string[] =>
  value === undefined ? [] : Array.isArray(value) ? value : [value]

/** @returns the body as an object; an empty one for anything else */
export const fieldsOf = (body: unknown): Record<string, unknown> =>
  typeof body === 'object' && body !== null && !Array.isArray(body) && !Buffer.isBuffer(body)
    ? (body as Record<string, unknown>)
    : {}
