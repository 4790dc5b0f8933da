import type { Readable } from 'node:stream'
import { ReadableStream } from 'node:stream/web'
import { Agent, request } from 'undici'
import { OutboundError } from './errors'
import { explain } from './explain'
import { checkUrl, type GuardOptions, guardedConnector } from './guard'
import { plainHeaders, sendableHeaders } from './headers'

/** bytes of a response after which it fails */
const MOST = 50_000_000

export interface StreamOptions extends GuardOptions {
  /** bytes of a response after which it fails; default: 50 MB */
  most?: number
  /** how many are followed, each checked like the address itself; only for GET without secrets. Default: none */
  redirects?: number
}

/**
 * The guard of `createOutboundFetch` behind the standard `fetch`, for libraries that call a user-given address and
 * stream the response. No redirects unless asked for: requests contain keys. The caller has to end it: there is no
 * timeout besides the signal.
 */
export function createOutboundStream({ most = MOST, redirects = 0, ...guard }: StreamOptions): typeof globalThis.fetch {
  const allowed = guard.allowed ?? []
  const connect = guardedConnector(guard)
  const call = async (url: URL, init: RequestInit, left: number): Promise<Response> => {
    const agent = new Agent({ connect, connections: 1, headersTimeout: 0, bodyTimeout: 0 })
    const end = () => void agent.destroy().catch(() => undefined)
    try {
      const { statusCode, headers, body } = await request(url, {
        dispatcher: agent,
        method: (init.method ?? 'GET') as 'GET',
        headers: {
          ...sendableHeaders([...new Headers(init.headers)]),
          'user-agent': 'Parley',
          'accept-encoding': 'identity',
        },
        body: typeof init.body === 'string' ? init.body : null,
        ...(init.signal && { signal: init.signal }),
      })
      // A destroyed stream without an error listener would end the process.
      body.on('error', () => undefined)
      const plain = plainHeaders(headers)
      if (isRedirect(statusCode, plain) && left > 0) {
        end()
        return await call(checkUrl(plain.location ?? '', allowed, url), init, left - 1)
      }
      const refusal = refusalOfAnswer(statusCode, plain)
      if (refusal) throw refusal
      const bytes = ReadableStream.from(readToEnd(body, end, most))
      // Node's stream type differs from that of browsers, which tests are checked with
      return new Response(BODILESS.has(statusCode) ? null : (bytes as unknown as string), {
        status: statusCode,
        headers: plain,
      })
    } catch (error) {
      end()
      throw init.signal?.aborted ? init.signal.reason : explain(error, url.href)
    }
  }
  return async (input, init = {}) => {
    const address = input instanceof Request ? input.url : String(input)
    return call(checkUrl(address, allowed), init, redirects)
  }
}

const BODILESS = new Set([204, 205, 304])

const isRedirect = (status: number, headers: Record<string, string>): boolean =>
  status >= 300 && status < 400 && Boolean(headers.location)

function refusalOfAnswer(status: number, headers: Record<string, string>): OutboundError | null {
  if (isRedirect(status, headers)) return new OutboundError('bad_redirect', headers.location ?? '')
  const packed = headers['content-encoding'] ?? 'identity'
  return packed === 'identity' ? null : new OutboundError('bad_encoding', packed)
}

async function* readToEnd(body: Readable, end: () => void, most: number): AsyncGenerator<Uint8Array> {
  let left = most
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      left -= chunk.length
      if (left < 0) throw new OutboundError('too_large', `${most / 1e6} MB`)
      yield chunk
    }
  } finally {
    end()
  }
}
