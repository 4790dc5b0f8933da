import type Stripe from 'stripe'
import type { Config } from '../../../platform/config/config'
import { ApiError } from '../../../platform/errors'
import { operatorNetworks } from '../../../platform/outbound/operatorNetworks'
import { createOutboundFetch } from '../../../platform/outbound/outboundFetch'

/** Gives the client of Stripe, loaded when it is first needed. @throws ApiError billing_unset without a key */
export type StripeSource = () => Promise<Stripe>

const TIMEOUT = 20_000
const MOST_BYTES = 4_000_000
/** What the library says of this machine is nobody's business; the length is the connection's own. */
const DROPPED = new Set(['x-stripe-client-user-agent', 'x-stripe-client-telemetry', 'content-length', 'connection'])

/** @param retries how often a call that did not come through is sent again, with the same key: it counts once */
export function createStripe(
  { stripe, outboundAllow }: Pick<Config, 'stripe' | 'outboundAllow'>,
  retries = 2,
): StripeSource {
  if (!stripe) return () => Promise.reject(new ApiError('billing_unset'))
  const { secretKey, apiUrl } = stripe
  let client: Promise<Stripe> | undefined
  return () => {
    client ??= import('stripe').then(({ default: Client }) => {
      const { hostname, port, protocol } = new URL(apiUrl)
      return new Client(secretKey, {
        host: hostname,
        port: port || (protocol === 'http:' ? 80 : 443),
        protocol: protocol === 'http:' ? 'http' : 'https',
        httpClient: Client.createFetchHttpClient(guardedFetch(createOutboundFetch({ allowed: outboundAllow }))),
        maxNetworkRetries: retries,
        timeout: TIMEOUT,
        telemetry: false,
      })
    })
    return client
  }
}

/** Parley's own fetch in the form that the library takes: guarded, with limits of time and size. */
const guardedFetch =
  (fetchOutbound: ReturnType<typeof createOutboundFetch>) =>
  async (given: Parameters<typeof fetch>[0], init: RequestInit = {}): Promise<Response> => {
    const url = String(given)
    const headers = [...new Headers(init.headers).entries()].filter(([name]) => !DROPPED.has(name))
    const answer = await fetchOutbound({
      ...{ url, headers, method: init.method ?? 'GET', body: typeof init.body === 'string' ? init.body : null },
      ...{ timeoutMs: TIMEOUT, maxBytes: MOST_BYTES, larger: 'fail', maxRedirects: 0 },
      allowed: operatorNetworks(url),
      ...(init.signal && { signal: init.signal }),
    })
    const body = answer.body.length > 0 ? Buffer.from(answer.body) : null
    return new Response(body, { status: answer.status, headers: answer.headers })
  }
