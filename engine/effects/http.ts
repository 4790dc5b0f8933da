import { z } from 'zod'
import { testEffectSchema } from '../flow/testEffects'
import { jsonSchema } from '../values/json'
import { SECRET_NAME } from '../values/secrets'
import { CALL_FAILED, defineEffect } from './defineEffect'

/** Sends an HTTP request; one schema for the block, the server and the editor's test. */
export const httpMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'] as const
export const httpTimeouts = { least: 1, most: 30 } as const

const secret = z.string().max(100_000)
const pairs = z.array(z.tuple([z.string().max(1_000), z.string().max(100_000)])).max(200)

/** The most secrets per call: the response is searched for each of them. */
export const MOST_SECRETS = 20

/** Fully rendered; headers are one line each. */
export const httpCallSchema = z.strictObject({
  method: z.enum(httpMethods),
  url: z.string().max(100_000),
  /** added to the URL's own parameters */
  query: pairs,
  headers: pairs,
  auth: z
    .discriminatedUnion('type', [
      z.strictObject({ type: z.literal('basic'), username: secret, password: secret }),
      z.strictObject({ type: z.literal('bearer'), token: secret }),
      z.strictObject({ type: z.literal('header'), name: z.string().max(1_000), value: secret }),
    ])
    .nullable(),
  body: z
    .discriminatedUnion('type', [
      z.strictObject({ type: z.literal('json'), text: z.string().max(1_000_000) }),
      z.strictObject({ type: z.literal('raw'), text: z.string().max(1_000_000) }),
      z.strictObject({ type: z.literal('form'), fields: pairs }),
      z.strictObject({ type: z.literal('urlencoded'), fields: pairs }),
    ])
    .nullable(),
  /** for the whole call, including redirects */
  timeoutMs: z
    .int()
    .min(httpTimeouts.least * 1000)
    .max(httpTimeouts.most * 1000),
  followRedirects: z.boolean(),
  /** names of the secrets in its texts (httpSecrets.ts); the sender inserts their values */
  secrets: z.array(z.string().regex(SECRET_NAME)).max(MOST_SECRETS).optional(),
  /** the response in a test that sends nothing: JSON or text. Never sent */
  sample: z.string().max(100_000).optional(),
  /** the key of the first attempt if this is a repetition; absent: the call's own key */
  idempotencyKey: z.string().max(200).optional(),
})

export const httpAnswerSchema = z.strictObject({
  /** the status is below 400 */
  ok: z.boolean(),
  /** null: no response */
  status: z.int().nullable(),
  /** by lower-case name */
  headers: z.record(z.string(), z.string()),
  /** parsed JSON, otherwise text; null if empty */
  body: jsonSchema,
  /** what happened to the body: truncated, or not text */
  note: z.string().optional(),
  /** why it is not ok, for an editor */
  error: z.string().optional(),
  /** stable: `http_status`, or the reason for which there is no response */
  code: z.string().optional(),
  /** Retry-After in seconds */
  retryAfter: z.int().min(0).optional(),
  /** the Idempotency-Key of this call; a repetition sends it again */
  key: z.string(),
  ms: z.int(),
  /** in a test: what was sent, or would have been */
  testEffects: z.array(testEffectSchema).optional(),
})

export type HttpCall = z.infer<typeof httpCallSchema>
export type HttpAnswer = z.infer<typeof httpAnswerSchema>

/** The result without a response, except for the reason. */
export const NO_HTTP_ANSWER = { ok: false, status: null, headers: {}, body: null, key: '', ms: 0 } as const

/** A result may be large: it is only identified, not validated or copied deeply. */
const resultSchema = z.custom<Pick<HttpAnswer, 'ok'> & Partial<HttpAnswer>>(
  (result) => typeof result === 'object' && result !== null && 'ok' in result && typeof result.ok === 'boolean',
)

export const httpEffect = defineEffect({
  name: 'http',
  request: httpCallSchema,
  result: resultSchema.transform((result): HttpAnswer => ({ ...NO_HTTP_ANSWER, error: CALL_FAILED.error, ...result })),
})
