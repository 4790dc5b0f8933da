import { queryOptions } from '@tanstack/react-query'
import { API_PATH } from '../../server/contracts/publicApi'
import { ApiFailure } from './failure'

/** A JSON Schema, as far as the reference shows it. */
export interface Schema {
  type?: string | readonly string[]
  description?: string
  properties?: Readonly<Record<string, Schema>>
  required?: readonly string[]
  additionalProperties?: Schema | boolean
  items?: Schema
  anyOf?: readonly Schema[]
  oneOf?: readonly Schema[]
  enum?: readonly unknown[]
  const?: unknown
  default?: unknown
  format?: string
  pattern?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
}

export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  description?: string
  required?: boolean
  schema: Schema
}

interface Content {
  content?: Readonly<Record<string, { schema: Schema; example?: unknown }>>
}

/** An operation of the API's description. */
export interface ApiOperation {
  operationId: string
  summary: string
  description: string
  tags: readonly string[]
  parameters?: readonly Parameter[]
  requestBody?: Content
  responses: Readonly<Record<string, Content & { description: string }>>
}

/** The API's OpenAPI document. */
export interface ApiDescription {
  info: { description: string }
  servers: readonly { url: string }[]
  tags: readonly { name: string; description: string }[]
  paths: Readonly<Record<string, Readonly<Record<string, ApiOperation>>>>
}

/** The description of the public API, which this installation makes from what it serves. */
export const apiDescriptionQuery = queryOptions({
  queryKey: ['api-description'],
  queryFn: async ({ signal }): Promise<ApiDescription> => {
    const response = await fetch(`${API_PATH}/openapi.json`, { signal })
    if (!response.ok) throw new ApiFailure('', { status: response.status })
    return response.json()
  },
  staleTime: 5 * 60_000,
})

export interface TriedCall {
  method: string
  /** with its query */
  path: string
  key: string
  /** JSON; undefined: none */
  body: string | undefined
}

export interface TriedAnswer {
  status: number
  /** as it came; JSON is indented */
  text: string
  ms: number
}

/** The most of an answer that is shown, in characters. */
const MOST_SHOWN = 100_000

/** Calls the API as a program would: with the key alone, not as who is logged in. */
export async function tryCall({ method, path, key, body }: TriedCall): Promise<TriedAnswer> {
  const begun = performance.now()
  const response = await fetch(API_PATH + path, {
    method: method.toUpperCase(),
    credentials: 'omit',
    headers: {
      authorization: `Bearer ${key}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body }),
  })
  const text = await response.text()
  return { status: response.status, text: indented(text).slice(0, MOST_SHOWN), ms: performance.now() - begun }
}

function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
