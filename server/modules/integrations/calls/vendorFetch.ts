import type { Json } from '../../../../engine/values/json'
import type { ServerContext } from '../../../platform/context'
import { parseJson } from '../../../platform/http/parseJson'
import { parseJson as parseInThread } from '../../../platform/http/tasks'
import { OutboundError } from '../../../platform/outbound/errors'
import { operatorNetworks } from '../../../platform/outbound/operatorNetworks'
import { createOutboundFetch } from '../../../platform/outbound/outboundFetch'
import { createThreads } from '../../../platform/workers/createThreads'
import { TaskError } from '../../../platform/workers/taskError'
import { VendorError } from './vendorError'

/** A request to a vendor, with whatever lets it in. */
export interface SentRequest {
  method: string
  url: string
  headers: readonly (readonly [name: string, value: string])[]
  body: string | Uint8Array | null
  maxBytes?: number | undefined
  signal?: AbortSignal | undefined
}

export interface VendorAnswer {
  status: number
  headers: Record<string, string>
  /** undefined: it is no JSON */
  body: Json | undefined
}

/** Larger answers are parsed in a thread. */
const INLINE_BYTES = 128_000
const TIMEOUT_MS = 20_000
const LIMITS = { timeMs: 5_000, heapMb: 512 }

/**
 * Creates the one way to vendors: guarded, with limits of time and size, and answers parsed as foreign data. The
 * operator's addresses may be of this machine; those that vendors name may not.
 */
export function createVendorFetch({ config }: Pick<ServerContext, 'config'>, timeoutMs = TIMEOUT_MS) {
  const fetchOutbound = createOutboundFetch({ allowed: config.outboundAllow })
  const run = createThreads(LIMITS)

  /** @throws VendorError unreachable, too_large */
  return async (vendor: string, request: SentRequest): Promise<VendorAnswer> => {
    const answer = await fetchOutbound({
      ...request,
      signal: request.signal ?? new AbortController().signal,
      maxBytes: request.maxBytes ?? 1_000_000,
      larger: 'fail',
      timeoutMs,
      maxRedirects: 0,
      allowed: operatorNetworks(request.url),
    }).catch((error: unknown) => {
      if (!(error instanceof OutboundError)) throw error
      if (error.code === 'aborted') request.signal?.throwIfAborted()
      if (error.code === 'too_large') throw new VendorError('too_large', `The answer of ${vendor}`, { cause: error })
      throw new VendorError('unreachable', error.message, { cause: error, isUncertain: !NEVER_SENT.has(error.code) })
    })
    return { status: answer.status, headers: answer.headers, body: await read(answer.body) }
  }

  async function read(bytes: Uint8Array): Promise<Json | undefined> {
    if (bytes.length === 0) return null
    const parsed =
      bytes.length < INLINE_BYTES
        ? parseJson(bytes)
        : await run(parseInThread, bytes).catch((error: unknown) => {
            if (error instanceof TaskError) return { refused: 'malformed' as const }
            throw error
          })
    return 'refused' in parsed ? undefined : (parsed.value as Json)
  }
}
export type VendorFetch = ReturnType<typeof createVendorFetch>

/** Failures before a request was on its way. */
const NEVER_SENT: ReadonlySet<string> = new Set([
  ...['invalid_url', 'credentials_in_url', 'private_address', 'metadata_address', 'invalid_method', 'invalid_header'],
  ...['forbidden_header', 'unknown_host', 'refused', 'tls'],
])
