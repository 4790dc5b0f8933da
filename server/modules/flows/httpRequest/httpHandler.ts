import { createHash } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import { type HttpAnswer, type HttpCall, httpEffect, NO_HTTP_ANSWER } from '../../../../engine/effects/http'
import { type FilledCall, fillSecrets, showReferences } from '../../../../engine/flow/httpSecrets'
import type { TestEffectOf } from '../../../../engine/flow/testEffects'
import type { CallContext } from '../../../platform/effects/callContext'
import { type EffectHandler, handleEffect } from '../../../platform/effects/handleEffect'
import type { AllowedNetwork } from '../../../platform/outbound/addresses'
import { readContent } from '../../../platform/outbound/content'
import { OutsideError } from '../../../platform/outbound/errors'
import { createMask } from '../../../platform/outbound/maskSecrets'
import type { OutsideAnswer, OutsideFetch } from '../../../platform/outbound/outsideFetch'

/** Most bytes that are kept of an answer, and of one that says what went wrong. */
const KEPT = 1_000_000
const KEPT_OF_ERRORS = 64_000

/** What a call needs of its project; it is asked by the context of the call. */
export interface HttpSources<Context> {
  /**
   * the values of secrets by their names, those that there are: asked right before a call that names them is sent. Left
   * out: there are none
   */
  secretsOf?: (names: readonly string[], context: Context) => Promise<ReadonlyMap<string, string>>
  /** the private networks that the project has opened for itself, asked before each call */
  networksOf?: (context: Context) => Promise<readonly AllowedNetwork[]>
}

/** RFC 9110, 9.2.1: who asks by these asks for no change. */
const SAFE: ReadonlySet<string> = new Set<HttpCall['method']>(['GET', 'HEAD', 'OPTIONS'])
export const readsOnlyByMethod = (method: string): boolean => SAFE.has(method)

/**
 * Handles `http`: makes the call that a block asks for and tells what came. What changes something carries an
 * Idempotency-Key: the call's own, so that its repetition after a crash is known as the same. A test reads for real,
 * under the header X-Parley-Test, and writes nothing unless it may: then the block's sample stands for the answer.
 */
export function createHttpHandler<Context extends Pick<CallContext, 'idempotencyKey' | 'signal' | 'writes'>>(
  fetchOutside: OutsideFetch,
  clock: () => Date,
  { secretsOf, networksOf }: HttpSources<Context> = {},
): EffectHandler<Context> {
  /** Undefined for a call that names none. */
  const secretsFor = async ({ secrets = [] }: HttpCall, context: Context) =>
    secrets.length > 0 ? secretsOf?.(secrets, context) : undefined

  async function carryOut(call: HttpCall, context: Context): Promise<HttpAnswer> {
    const { idempotencyKey: key, signal, writes } = context
    const isTest = writes !== 'real'
    const secrets = await secretsFor(call, context)
    const allowed = await networksOf?.(context)
    const sent = await sendHttpCall(fetchOutside, clock, call, { key, isTest, signal, secrets, allowed })
    if (!isTest || readsOnlyByMethod(call.method) || sent.status === null) return sent
    return { ...sent, testEffects: [effectOf(call, null)] }
  }

  return handleEffect(httpEffect).by({
    carryOut,
    async simulate(call, context: Context): Promise<HttpAnswer> {
      if (readsOnlyByMethod(call.method)) return carryOut(call, context)
      // one that could not be made is not answered as if it had been
      const filled = fillCall(call, context.idempotencyKey, await secretsFor(call, context))
      return 'call' in filled ? simulated(call, context.idempotencyKey) : filled
    },
  })
}

/** What stands for the answer to a call that a test does not make: the block's sample, else an empty one. */
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
 * The request as the block asked for it, with references where secrets stand; headers and authentication stay where
 * they are, in the request itself.
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
  /** a test sends it: a header says so */
  isTest: boolean
  signal?: AbortSignal | undefined
  /** those that no other server is given, where the call is redirected to one */
  secretHeaders?: readonly string[]
  /** by name: the values of what the call refers to */
  secrets?: ReadonlyMap<string, string> | undefined
  /** private networks that it may go to beside those of the installation */
  allowed?: readonly AllowedNetwork[] | undefined
}

/** No header of the editor's takes the mark away. */
function asTest(call: HttpCall): HttpCall {
  const others = call.headers.filter(([name]) => name.trim().toLowerCase() !== 'x-parley-test')
  return { ...call, headers: [...others, ['X-Parley-Test', '1']] }
}

/**
 * Sends a call, with the values of its secrets in it; what comes back is without them. Never throws: what goes wrong is
 * in the answer.
 */
export async function sendHttpCall(
  fetchOutside: OutsideFetch,
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
  const answer = await exchange((sent) => fetchOutside({ ...sent, allowed }), clock, kept, idempotencyKey, signal)
  return call.secrets && secrets ? createMask(secrets.values(), filled.call.auth).answer(answer) : answer
}

/** The call with the values of its secrets; an answer that says why where they can't be put into it. */
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
  fetchOutside: OutsideFetch,
  clock: () => Date,
  filled: FilledCall,
  key: string,
  signal: AbortSignal | undefined,
): Promise<HttpAnswer> {
  const started = performance.now()
  const outcome = await send(fetchOutside, filled, key, signal)
  const ms = Math.round(performance.now() - started)
  if (outcome instanceof OutsideError) {
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
  fetchOutside: OutsideFetch,
  { call, secretHeaders, secretBody }: FilledCall,
  key: string,
  signal: AbortSignal | undefined,
): Promise<OutsideAnswer | OutsideError> {
  try {
    const { contentType, content } = bodyOf(call, key)
    const given = new Set(call.headers.map(([name]) => name.trim().toLowerCase()))
    const standard = [
      ...(contentType ? [['Content-Type', contentType] as const] : []),
      ...(call.method !== 'GET' && call.method !== 'HEAD' ? [['Idempotency-Key', key] as const] : []),
      ...authorization(call.auth),
    ]
    return await fetchOutside({
      url: withQuery(call.url, call.query),
      method: call.method,
      // what the editor wrote wins
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
    if (error instanceof OutsideError) return error
    throw error
  }
}

function withQuery(url: string, query: HttpCall['query']): string {
  if (query.length === 0 || !URL.canParse(url)) return url
  const address = new URL(url)
  const added = new URLSearchParams(query).toString()
  // the URL's own query stays letter by letter: a signature may rest on it
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

/** A form's fields, one part each. The boundary comes from the key, so that a repetition is the same to the byte. */
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
