import type { Readable } from 'node:stream'
import { ReadableStream } from 'node:stream/web'
import { Agent, request } from 'undici'
import { OutboundError } from './errors'
import { explain } from './explain'
import { checkUrl, type GuardOptions, guardedConnector } from './guard'
import { plainHeaders, sendableHeaders } from './headers'

/** bytes of a response after which it fails */
const MOST = 50_000_000

/**
 * The guard of `createOutboundFetch` behind the standard `fetch`, for libraries that call a user-given address and
 * stream the response. No redirects: requests contain keys. The caller has to end it: there is no timeout besides the
 * signal.
 */
export function createOutboundStream(options: GuardOptions): typeof globalThis.fetch {
  const connect = guardedConnector(options)
  return async (input, init = {}) => {
    const address = input instanceof Request ? input.url : String(input)
    const url = checkUrl(address, options.allowed ?? [])
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
      const refusal = refusalOfAnswer(statusCode, plain)
      if (refusal) throw refusal
      const bytes = ReadableStream.from(readToEnd(body, end))
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
}

const BODILESS = new Set([204, 205, 304])

function refusalOfAnswer(status: number, headers: Record<string, string>): OutboundError | null {
  if (status >= 300 && status < 400 && headers.location) return new OutboundError('bad_redirect', headers.location)
  const packed = headers['content-encoding'] ?? 'identity'
  return packed === 'identity' ? null : new OutboundError('bad_encoding', packed)
}

async function* readToEnd(body: Readable, end: () => void): AsyncGenerator<Uint8Array> {
  let left = MOST
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      left -= chunk.length
      if (left < 0) throw new OutboundError('too_large', `${MOST / 1e6} MB`)
      yield chunk
    }
  } finally {
    end()
  }
}
