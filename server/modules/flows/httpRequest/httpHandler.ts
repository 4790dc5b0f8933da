import { createHash } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import { type HttpAnswer, type HttpCall, httpEffect, NO_HTTP_ANSWER } from '../../../../engine/effects/http'
import { type FilledCall, fillSecrets, showReferences } from '../../../../engine/flow/httpSecrets'
import type { TestEffectOf } from '../../../../engine/flow/testEffects'
import type { CallContext } from '../../../platform/effects/callContext'
import { type EffectHandler, handleEffect } from '../../../platform/effects/handleEffect'
import type { AllowedNetwork } from '../../../platform/outbound/addresses'
import { readContent } from '../../../platform/outbound/content'
import { OutboundError } from '../../../platform/outbound/errors'
import { createMask } from '../../../platform/outbound/maskSecrets'
import type { OutboundFetch, OutboundResponse } from '../../../platform/outbound/outboundFetch'

/** Most bytes stored of a response, and of an error response. */
const KEPT = 1_000_000
const KEPT_OF_ERRORS = 64_000

/** Project data that a call needs, read with the call's context. */
export interface HttpSources<Context> {
  /**
   * values of secrets by name, read just before the call is sent; missing ones are absent. Left out: there are no
   * secrets
   */
  secretsOf?: (names: readonly string[], context: Context) => Promise<ReadonlyMap<string, string>>
  /** the private networks opened by the project, read before each call */
  networksOf?: (context: Context) => Promise<readonly AllowedNetwork[]>
}

/** Safe methods (RFC 9110, 9.2.1), which request no change. */
const SAFE: ReadonlySet<string> = new Set<HttpCall['method']>(['GET', 'HEAD', 'OPTIONS'])
export const readsOnlyByMethod = (method: string): boolean => SAFE.has(method)

/**
 * Handles `http`: sends a block's request and returns the response. Unsafe methods carry an Idempotency-Key, the call's
 * own, so that a repetition after a crash is recognised. A test reads for real, with the header X-Parley-Test, but
 * writes only with permission: otherwise the block's sample is the response.
 */
export function createHttpHandler<Context extends Pick<CallContext, 'idempotencyKey' | 'signal' | 'writes'>>(
  fetchOutbound: OutboundFetch,
  clock: () => Date,
  { secretsOf, networksOf }: HttpSources<Context> = {},
): EffectHandler<Context> {
  /** Undefined if the call names none. */
  const secretsFor = async ({ secrets = [] }: HttpCall, context: Context) =>
    secrets.length > 0 ? secretsOf?.(secrets, context) : undefined

  async function carryOut(call: HttpCall, context: Context): Promise<HttpAnswer> {
    const { idempotencyKey: key, signal, writes } = context
    const isTest = writes !== 'real'
    const secrets = await secretsFor(call, context)
    const allowed = await networksOf?.(context)
    const sent = await sendHttpCall(fetchOutbound, clock, call, { key, isTest, signal, secrets, allowed })
    if (!isTest || readsOnlyByMethod(call.method) || sent.status === null) return sent
    return { ...sent, testEffects: [effectOf(call, null)] }
  }

  return handleEffect(httpEffect).by({
    carryOut,
    async simulate(call, context: Context): Promise<HttpAnswer> {
      if (readsOnlyByMethod(call.method)) return carryOut(call, context)
      // validate even if it is not sent: an invalid call must not get a sample response
      const filled = fillCall(call, context.idempotencyKey, await secretsFor(call, context))
      return 'call' in filled ? simulated(call, context.idempotencyKey) : filled
    },
  })
}

/** The response of a call that a test does not send: the block's sample, otherwise an empty one. */
function simulated(call: HttpCall, key: string): HttpAnswer {
  const sample = call.sample?.trim() ?? ''
  const body = Buffer.from(sample)
  const content = readContent({ headers: { 'content-type': 'text/plain' }, body, cut: false }, KEPT)
  return {
    ok: true,
    status: 200,
    headers: {},
    ...content,
    key: call.idempotencyKey ?? key,
    ms: 0,
    testEffects: [effectOf(call, sample === '' ? 'nothing' : 'sample')],
  }
}

const KEPT_OF_BODIES = 20_000

/**
 * The request as configured, with references in place of secrets; headers and authentication are only in the request
 * itself.
 */
function effectOf(call: HttpCall, answeredBy: TestEffectOf<'http'>['answeredBy']): TestEffectOf<'http'> {
  const { body } = call
  const text = body && ('text' in body ? body.text : body.fields.map((field) => field.join('=')).join('\n'))
  return {
    type: 'http',
    carriedOut: answeredBy === null,
    method: call.method,
    url: showReferences(call, withQuery(call.url, call.query)),
    body: text?.slice(0, KEPT_OF_BODIES) ?? null,
    answeredBy,
  }
}

interface SendOptions {
  key: string
  /** sent by a test: a header says so */
  isTest: boolean
  signal?: AbortSignal | undefined
  /** headers that are not sent to another server after a redirect */
  secretHeaders?: readonly string[]
  /** values by name */
  secrets?: ReadonlyMap<string, string> | undefined
  /** private networks that it may reach in addition to those of the installation */
  allowed?: readonly AllowedNetwork[] | undefined
}

/** The test header can't be overridden by the editor's headers. */
function asTest(call: HttpCall): HttpCall {
  const others = call.headers.filter(([name]) => name.trim().toLowerCase() !== 'x-parley-test')
  return { ...call, headers: [...others, ['X-Parley-Test', '1']] }
}

/** Sends a call with its secrets inserted; they are masked in the response. Never throws: errors are in the result. */
export async function sendHttpCall(
  fetchOutbound: OutboundFetch,
  clock: () => Date,
  call: HttpCall,
  { key, isTest, signal, secretHeaders = [], secrets, allowed = [] }: SendOptions,
): Promise<HttpAnswer> {
  const idempotencyKey = call.idempotencyKey ?? key
  const filled = fillCall(call, key, secrets)
  if (!('call' in filled)) return filled
  const kept = {
    ...filled,
    call: isTest ? asTest(filled.call) : filled.call,
    secretHeaders: [...filled.secretHeaders, ...secretHeaders],
  }
  const answer = await exchange((sent) => fetchOutbound({ ...sent, allowed }), clock, kept, idempotencyKey, signal)
  return call.secrets && secrets ? createMask(secrets.values(), filled.call.auth).answer(answer) : answer
}

/** The call with its secrets inserted; or a result that says why that is impossible. */
function fillCall(
  call: HttpCall,
  key: string,
  secrets: ReadonlyMap<string, string> | undefined,
): FilledCall | HttpAnswer {
  const filled = fillSecrets(call, (name) => secrets?.get(name))
  if ('call' in filled) return filled
  const missing = 'missing' in filled
  const error = missing
    ? `The secret ${filled.missing} does not exist, or can no longer be read: enter it in the project's secrets.`
    : filled.problem
  const code = missing ? 'missing_secret' : 'invalid_secret'
  return { ...NO_HTTP_ANSWER, error, code, key: call.idempotencyKey ?? key }
}

async function exchange(
  fetchOutbound: OutboundFetch,
  clock: () => Date,
  filled: FilledCall,
  key: string,
  signal: AbortSignal | undefined,
): Promise<HttpAnswer> {
  const started = performance.now()
  const outcome = await send(fetchOutbound, filled, key, signal)
  const ms = Math.round(performance.now() - started)
  if (outcome instanceof OutboundError) {
    const { message: error, code } = outcome
    return { ...NO_HTTP_ANSWER, error, code, key, ms }
  }
  const { status, headers } = outcome
  const ok = status < 400
  const retryAfter = retrySeconds(headers['retry-after'], clock())
  return {
    ok,
    status,
    headers,
    ...readContent(outcome, ok ? KEPT : KEPT_OF_ERRORS),
    ...(!ok && { error: `The server answered with status ${status}.`, code: 'http_status' }),
    ...(retryAfter !== null && { retryAfter }),
    key,
    ms,
  }
}

async function send(
  fetchOutbound: OutboundFetch,
  { call, secretHeaders, secretBody }: FilledCall,
  key: string,
  signal: AbortSignal | undefined,
): Promise<OutboundResponse | OutboundError> {
  try {
    const { contentType, content } = bodyOf(call, key)
    const given = new Set(call.headers.map(([name]) => name.trim().toLowerCase()))
    const standard = [
      ...(contentType ? [['Content-Type', contentType] as const] : []),
      ...(call.method !== 'GET' && call.method !== 'HEAD' ? [['Idempotency-Key', key] as const] : []),
      ...authorization(call.auth),
    ]
    return await fetchOutbound({
      url: withQuery(call.url, call.query),
      method: call.method,
      // the editor's headers win
      headers: [...standard.filter(([name]) => !given.has(name.toLowerCase())), ...call.headers],
      secretHeaders: call.auth?.type === 'header' ? [call.auth.name, ...secretHeaders] : secretHeaders,
      secretBody,
      body: content,
      timeoutMs: call.timeoutMs,
      maxBytes: KEPT,
      maxRedirects: call.followRedirects ? 5 : 0,
      signal,
    })
  } catch (error) {
    if (error instanceof OutboundError) return error
    throw error
  }
}

function withQuery(url: string, query: HttpCall['query']): string {
  if (query.length === 0 || !URL.canParse(url)) return url
  const address = new URL(url)
  const added = new URLSearchParams(query).toString()
  // the URL's own query stays literally: a signature may depend on it
  address.search = address.search === '' ? added : `${address.search.slice(1)}&${added}`
  return address.href
}

function authorization(auth: HttpCall['auth']): (readonly [string, string])[] {
  switch (auth?.type) {
    case 'basic':
      return [['Authorization', `Basic ${Buffer.from(`${auth.username}:${auth.password}`).toString('base64')}`]]
    case 'bearer':
      return [['Authorization', `Bearer ${auth.token}`]]
    case 'header':
      return [[auth.name, auth.value]]
    default:
      return []
  }
}

function bodyOf({ method, body }: HttpCall, key: string): { contentType: string | null; content: string | null } {
  if (!body || method === 'GET' || method === 'HEAD') return { contentType: null, content: null }
  switch (body.type) {
    case 'json':
      return { contentType: 'application/json', content: body.text }
    case 'raw':
      return { contentType: 'text/plain; charset=utf-8', content: body.text }
    case 'urlencoded':
      return {
        contentType: 'application/x-www-form-urlencoded',
        content: new URLSearchParams(body.fields).toString(),
      }
    case 'form':
      return multipart(body.fields, key)
  }
}

/** A form's fields as multipart. The boundary derives from the key, so that a repetition is byte-identical. */
function multipart(fields: HttpCall['query'], key: string): { contentType: string; content: string } {
  let boundary = `parley-${createHash('sha256').update(key).digest('hex').slice(0, 32)}`
  while (fields.some(([, value]) => value.includes(boundary))) boundary += '-'
  const quoted = (name: string) => name.replace(/[\r\n"]/g, (char) => encodeURIComponent(char))
  const parts = fields.map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${quoted(name)}"\r\n\r\n${value}\r\n`,
  )
  return { contentType: `multipart/form-data; boundary=${boundary}`, content: `${parts.join('')}--${boundary}--\r\n` }
}

/** Retry-After is a number of seconds or a date (RFC 9110). */
function retrySeconds(value: string | undefined, now: Date): number | null {
  if (value === undefined) return null
  if (/^\d{1,9}$/.test(value.trim())) return Number(value)
  const date = Date.parse(value)
  return Number.isNaN(date) ? null : Math.max(0, Math.ceil((date - now.getTime()) / 1000))
}
