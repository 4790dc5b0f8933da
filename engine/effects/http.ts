import { z } from 'zod'
import { testEffectSchema } from '../flow/testEffects'
import { jsonSchema } from '../values/json'
import { SECRET_NAME } from '../values/secrets'
import { CALL_FAILED, defineEffect } from './defineEffect'

/** Asks a server outside: one shape for the block, the server, and the editor's test. */
export const httpMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'] as const
export const httpTimeouts = { least: 1, most: 30 } as const

const secret = z.string().max(100_000)
const pairs = z.array(z.tuple([z.string().max(1_000), z.string().max(100_000)])).max(200)

/** More secrets than any call needs: what comes back is looked through for each. */
export const MOST_SECRETS = 20

/** Everything is rendered already; headers are one line each. */
export const httpCallSchema = z.strictObject({
  method: z.enum(httpMethods),
  url: z.string().max(100_000),
  /** added to those that the URL has */
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
  /** for the whole call, redirects included */
  timeoutMs: z
    .int()
    .min(httpTimeouts.least * 1000)
    .max(httpTimeouts.most * 1000),
  followRedirects: z.boolean(),
  /** names of the secrets that its texts refer to (httpSecrets.ts); who sends it puts their values in */
  secrets: z.array(z.string().regex(SECRET_NAME)).max(MOST_SECRETS).optional(),
  /** what stands for the answer in a test that sends nothing: JSON, or a text. Never sent */
  sample: z.string().max(100_000).optional(),
  /** that of the first try, where this one repeats it; else the call's own key stands for it */
  idempotencyKey: z.string().max(200).optional(),
})

export const httpAnswerSchema = z.strictObject({
  /** a status below 400 came */
  ok: z.boolean(),
  /** null: no answer came */
  status: z.int().nullable(),
  /** by names in lower case */
  headers: z.record(z.string(), z.string()),
  /** JSON as its value, else the text; null without one */
  body: jsonSchema,
  /** what happened to the body: it was cut, it was no text */
  note: z.string().optional(),
  /** why it is not ok, for an editor */
  error: z.string().optional(),
  /** stable: `http_status`, or the cause for which no answer came */
  code: z.string().optional(),
  /** seconds after which the server wants to be asked again */
  retryAfter: z.int().min(0).optional(),
  /** the Idempotency-Key of this call; a repetition passes it on */
  key: z.string(),
  ms: z.int(),
  /** of a test: what was sent, or would have been */
  testEffects: z.array(testEffectSchema).optional(),
})

export type HttpCall = z.infer<typeof httpCallSchema>
export type HttpAnswer = z.infer<typeof httpAnswerSchema>

/** An answer where none came, without the reason. */
export const NO_HTTP_ANSWER = { ok: false, status: null, headers: {}, body: null, key: '', ms: 0 } as const

/** A result may be large: it is looked at no further than whether it is one, and never copied in depth. */
const resultSchema = z.custom<Pick<HttpAnswer, 'ok'> & Partial<HttpAnswer>>(
  (result) => typeof result === 'object' && result !== null && 'ok' in result && typeof result.ok === 'boolean',
)

export const httpEffect = defineEffect({
  name: 'http',
  request: httpCallSchema,
  result: resultSchema.transform((result): HttpAnswer => ({ ...NO_HTTP_ANSWER, error: CALL_FAILED.error, ...result })),
})
