import { Agent, request } from 'undici'
import type { AllowedNetwork } from './addresses'
import { OutsideError } from './errors'
import { explain } from './explain'
import { checkUrl, type GuardOptions, guardedConnector } from './guard'
import { plainHeaders, sendableHeaders } from './headers'
import { readBody } from './readBody'

export interface OutsideRequest {
  url: string
  /** GET unless said */
  method?: string
  headers?: readonly (readonly [name: string, value: string])[]
  /** names of headers that are dropped, as Authorization and Cookie are, where a redirect leads to another origin */
  secretHeaders?: readonly string[]
  /** the body is for this origin alone: a redirect that would take it to another one fails */
  secretBody?: boolean
  body?: string | Uint8Array | null
  /** for everything, redirects and the whole body included; 10 s unless said */
  timeoutMs?: number
  /** most bytes of the body, unpacked, also by what the answer says it is; 1 MB unless said */
  maxBytes?: number | ((answer: Pick<OutsideAnswer, 'status' | 'headers'>) => number)
  /** what is done with a larger body: it is cut (unless said), or the call fails with `too_large` */
  larger?: 'cut' | 'fail'
  /** 0 gives a redirect's own answer; 5 unless said */
  maxRedirects?: number
  signal?: AbortSignal
  /** private networks that this call may go to beside those of the installation */
  allowed?: readonly AllowedNetwork[]
}

export interface OutsideAnswer {
  /** the address that answered, after redirects */
  url: string
  status: number
  /** by names in lower case; several of one name are joined by a comma */
  headers: Record<string, string>
  /** unpacked */
  body: Uint8Array
  /** there was more of it */
  cut: boolean
}

/** Calls an address that somebody gave. Throws OutsideError alone. */
export type OutsideFetch = (request: OutsideRequest) => Promise<OutsideAnswer>

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
const REDIRECTS = new Set([301, 302, 303, 307, 308])
const CREDENTIALS = ['authorization', 'cookie', 'proxy-authorization']
const CONTENT = ['content-type', 'content-encoding', 'content-language', 'content-location']

/**
 * Makes the one way in which Parley calls addresses that people give: http and https to public addresses alone. What is called
 * is checked three times: an address in the URL, every address that a name resolves to (the very ones that are then connected to, so a
 * name that rebinds gains nothing), and the socket's once it is connected. Redirects are followed by hand, each hop checked
 * likewise. Proxies of the environment are not used: they would resolve names unchecked.
 */
export function createOutsideFetch({ allowed: always = [], lookup, connector }: GuardOptions = {}): OutsideFetch {
  const usual = guardedConnector({ allowed: always, lookup, connector })
  return async (call) => {
    const timeoutMs = call.timeoutMs ?? 10_000
    const own = call.allowed ?? []
    const allowed = own.length > 0 ? [...always, ...own] : always
    const connect = own.length > 0 ? guardedConnector({ allowed, lookup, connector }) : usual
    const ending = new AbortController()
    const timer = setTimeout(() => ending.abort(new OutsideError('timeout', String(timeoutMs / 1000))), timeoutMs)
    const cancel = () => ending.abort(new OutsideError('aborted'))
    call.signal?.addEventListener('abort', cancel, { once: true })
    if (call.signal?.aborted) cancel()
    // An agent a call: nothing of one project's connections is left for another's.
    const agent = new Agent({ connect, connections: 1, headersTimeout: 0, bodyTimeout: 0 })
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
      agent.destroy().catch(() => undefined)
    }
  }
}

async function follow(
  agent: Agent,
  call: OutsideRequest,
  allowed: readonly AllowedNetwork[],
  signal: AbortSignal,
  onHop: (url: string) => void,
): Promise<OutsideAnswer> {
  const mostHops = call.maxRedirects ?? 5
  let url = checkUrl(call.url, allowed)
  let method = (call.method ?? 'GET').toUpperCase()
  if (!METHODS.has(method)) throw new OutsideError('invalid_method', method)
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
    // A stream that is destroyed without a listener for its error ends the process.
    answer.body.on('error', () => undefined)
    const location = answer.headers.location
    if (mostHops > 0 && REDIRECTS.has(answer.statusCode) && typeof location === 'string') {
      answer.body.destroy()
      if (hop >= mostHops) throw new OutsideError('too_many_redirects', url.href)
      const next = checkUrl(location, allowed, url)
      if (next.origin !== url.origin) headers = without(headers, [...CREDENTIALS, ...(call.secretHeaders ?? [])])
      if (becomesGet(method, answer.statusCode)) {
        method = 'GET'
        body = null
        headers = without(headers, CONTENT)
      }
      if (next.origin !== url.origin && body !== null && call.secretBody)
        throw new OutsideError('secret_redirect', next.origin)
      url = next
      continue
    }
    const plain = plainHeaders(answer.headers)
    const { maxBytes = 1_000_000 } = call
    const most = typeof maxBytes === 'number' ? maxBytes : maxBytes({ status: answer.statusCode, headers: plain })
    const read = await readBody(answer.body, plain['content-encoding'], most)
    if (read.cut && call.larger === 'fail') throw new OutsideError('too_large', `${most / 1e6} MB`)
    return { url: url.href, status: answer.statusCode, headers: plain, body: read.bytes, cut: read.cut }
  }
}

/** As browsers do it (Fetch standard): 303 always, 301 and 302 for POST. */
const becomesGet = (method: string, status: number): boolean =>
  status === 303 ? method !== 'GET' && method !== 'HEAD' : (status === 301 || status === 302) && method === 'POST'

const without = (headers: Record<string, string>, names: readonly string[]): Record<string, string> => {
  const dropped = new Set(names.map((name) => name.toLowerCase()))
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !dropped.has(name)))
}
