import { Agent, request } from 'undici'
import type { AllowedNetwork } from './addresses'
import { OutboundError } from './errors'
import { explain } from './explain'
import { checkUrl, type GuardOptions, guardedConnector } from './guard'
import { plainHeaders, sendableHeaders } from './headers'
import { readBody } from './readBody'

export interface OutboundRequest {
  url: string
  /** default: GET */
  method?: string
  headers?: readonly (readonly [name: string, value: string])[]
  /** headers that are dropped, like Authorization and Cookie, when a redirect leads to another origin */
  secretHeaders?: readonly string[]
  /** the body is only for this origin: a redirect that would send it to another one fails */
  secretBody?: boolean
  body?: string | Uint8Array | null
  /** for the whole call, including redirects and the body; default: 10 s */
  timeoutMs?: number
  /** most bytes of the body after decompression, possibly depending on the response's headers; default: 1 MB */
  maxBytes?: number | ((answer: Pick<OutboundResponse, 'status' | 'headers'>) => number)
  /** what happens to a larger body: it is truncated (default), or the call fails with `too_large` */
  larger?: 'cut' | 'fail'
  /** 0 returns a redirect's own response; default: 5 */
  maxRedirects?: number
  signal?: AbortSignal
  /** private networks that this call may reach in addition to those of the installation */
  allowed?: readonly AllowedNetwork[]
}

export interface OutboundResponse {
  /** the address that answered, after redirects */
  url: string
  status: number
  /** by lower-case name; repeated ones are joined by a comma */
  headers: Record<string, string>
  /** decompressed */
  body: Uint8Array
  /** whether it was truncated */
  cut: boolean
}

/** Calls a user-given address. Throws only OutboundError. */
export type OutboundFetch = (request: OutboundRequest) => Promise<OutboundResponse>

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
const REDIRECTS = new Set([301, 302, 303, 307, 308])
const CREDENTIALS = ['authorization', 'cookie', 'proxy-authorization']
const CONTENT = ['content-type', 'content-encoding', 'content-language', 'content-location']

/**
 * Creates the only fetch for user-given addresses: http and https to public addresses. Three checks: an address in the
 * URL; every address that a name resolves to (exactly those are then connected to, so DNS rebinding has no effect); and
 * the peer of the connected socket. Redirects are followed here, each hop with the same checks. Proxies of the
 * environment are not used: they would resolve names unchecked.
 * @param kept so many connections to each origin are kept for later calls: only for one that the operator has set, with
 * what each call may reach known beforehand (`allowed` of a call is refused)
 */
export function createOutboundFetch({
  allowed: always = [],
  lookup,
  connector,
  kept = 0,
}: GuardOptions & { kept?: number } = {}): OutboundFetch {
  const usual = guardedConnector({ allowed: always, lookup, connector })
  const shared = kept > 0 ? new Agent({ connect: usual, connections: kept, headersTimeout: 0, bodyTimeout: 0 }) : null
  return async (call) => {
    const timeoutMs = call.timeoutMs ?? 10_000
    const own = call.allowed ?? []
    if (shared && own.length > 0) throw new Error('Connections that are kept reach what they were made for.')
    const allowed = own.length > 0 ? [...always, ...own] : always
    const connect = own.length > 0 ? guardedConnector({ allowed, lookup, connector }) : usual
    const ending = new AbortController()
    const timer = setTimeout(() => ending.abort(new OutboundError('timeout', String(timeoutMs / 1000))), timeoutMs)
    const cancel = () => ending.abort(new OutboundError('aborted'))
    call.signal?.addEventListener('abort', cancel, { once: true })
    if (call.signal?.aborted) cancel()
    // One agent per call: projects never share connections to what they name.
    const agent = shared ?? new Agent({ connect, connections: 1, headersTimeout: 0, bodyTimeout: 0 })
    let url = call.url
    try {
      return await follow(agent, call, allowed, ending.signal, (next) => {
        url = next
      })
    } catch (error) {
      throw ending.signal.aborted ? ending.signal.reason : explain(error, url)
    } finally {
      clearTimeout(timer)
      call.signal?.removeEventListener('abort', cancel)
      if (agent !== shared) agent.destroy().catch(() => undefined)
    }
  }
}

async function follow(
  agent: Agent,
  call: OutboundRequest,
  allowed: readonly AllowedNetwork[],
  signal: AbortSignal,
  onHop: (url: string) => void,
): Promise<OutboundResponse> {
  const mostHops = call.maxRedirects ?? 5
  let url = checkUrl(call.url, allowed)
  let method = (call.method ?? 'GET').toUpperCase()
  if (!METHODS.has(method)) throw new OutboundError('invalid_method', method)
  let headers = sendableHeaders(call.headers ?? [])
  let body = call.body ?? null
  for (let hop = 0; ; hop++) {
    onHop(url.href)
    signal.throwIfAborted()
    const answer = await request(url, {
      dispatcher: agent,
      method: method as 'GET',
      headers: { 'user-agent': 'Parley', accept: '*/*', 'accept-encoding': 'gzip, br', ...headers },
      body,
      signal,
    })
    // A destroyed stream without an error listener would end the process.
    answer.body.on('error', () => undefined)
    const location = answer.headers.location
    if (mostHops > 0 && REDIRECTS.has(answer.statusCode) && typeof location === 'string') {
      answer.body.destroy()
      if (hop >= mostHops) throw new OutboundError('too_many_redirects', url.href)
      const next = checkUrl(location, allowed, url)
      if (next.origin !== url.origin) headers = without(headers, [...CREDENTIALS, ...(call.secretHeaders ?? [])])
      if (becomesGet(method, answer.statusCode)) {
        method = 'GET'
        body = null
        headers = without(headers, CONTENT)
      }
      if (next.origin !== url.origin && body !== null && call.secretBody)
        throw new OutboundError('secret_redirect', next.origin)
      url = next
      continue
    }
    const plain = plainHeaders(answer.headers)
    const { maxBytes = 1_000_000 } = call
    const most = typeof maxBytes === 'number' ? maxBytes : maxBytes({ status: answer.statusCode, headers: plain })
    const read = await readBody(answer.body, plain['content-encoding'], most)
    if (read.cut && call.larger === 'fail') throw new OutboundError('too_large', `${most / 1e6} MB`)
    return { url: url.href, status: answer.statusCode, headers: plain, body: read.bytes, cut: read.cut }
  }
}

/** As in the Fetch standard: 303 always, 301 and 302 for POST. */
const becomesGet = (method: string, status: number): boolean =>
  status === 303 ? method !== 'GET' && method !== 'HEAD' : (status === 301 || status === 302) && method === 'POST'

const without = (headers: Record<string, string>, names: readonly string[]): Record<string, string> => {
  const dropped = new Set(names.map((name) => name.toLowerCase()))
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !dropped.has(name)))
}
