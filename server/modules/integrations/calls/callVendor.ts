import type { Json } from '../../../../engine/values/json'
import type { ServerContext } from '../../../platform/context'
import { type Metrics, startWatch } from '../../../platform/metrics/createMetrics'
import { beginCall } from '../../../platform/tracing/spans'
import type { Access as Granted } from '../connections/granted'
import type { Vendor, VendorRequest } from '../defineVendor'
import { createAllowances } from './allowance'
import type { Paces, Wait } from './pace'
import { VendorError } from './vendorError'
import type { VendorAnswer, VendorFetch } from './vendorFetch'

/** How a call gets in: with a token, and with a new one where that is refused. */
export interface Entrance {
  /** identifies the connection among all */
  key: string
  tokens: () => Promise<Access>
  /** with a token other than the refused one. Throws VendorError reconnect */
  renew: (refused: string) => Promise<Access>
}
type Access = Pick<Granted, 'access' | 'host'>

/** How long a call goes on trying in all. */
const PATIENCE = 180_000
const FIRST_PAUSE = 1_000
const LONGEST_PAUSE = 60_000
/** How often a read is repeated whose answer got lost. */
const MOST_REPEATS = 2

/**
 * Makes a call as a vendor wants it made: not faster than allowed, again after the time that it names when it is busy,
 * and once more with a new token when the old one has run out.
 * @throws VendorError, and the signal's reason
 */
export function createVendorCaller(
  { clock, metrics }: Pick<ServerContext, 'clock'> & { metrics?: Pick<Metrics, 'vendorCalls' | 'vendorSeconds'> },
  { fetch, paces, wait }: { fetch: VendorFetch; paces: Paces; wait: Wait },
) {
  const allowances = createAllowances({ clock })

  return async (vendor: Vendor, entrance: Entrance, request: VendorRequest, signal?: AbortSignal): Promise<Json> => {
    const { kind, about = vendor.name } = request
    const pace = vendor.paces[request.pace ?? kind] ?? vendor.paces[kind]
    const isHarmless = kind === 'read' || request.isRepeatable === true
    allowances.check(vendor, entrance.key)
    let access = await entrance.tokens()
    let isRenewed = false
    let repeats = 0
    let ends: number | null = null
    for (let pauses = 0; ; ) {
      const room = await paces.take(`${vendor.slug}:${pace.bucket}`, entrance.key, pace, signal)
      ends ??= clock().getTime() + PATIENCE
      const seconds = startWatch()
      const end = beginCall(`vendor ${vendor.slug}`, { 'parley.vendor': vendor.slug, 'parley.call': kind })
      const answer = await send(vendor, request, access, signal).finally(room.leave)
      metrics?.vendorCalls.inc({ vendor: vendor.slug, status: statusClass(answer) })
      metrics?.vendorSeconds.observe({ vendor: vendor.slug }, seconds())
      if (answer instanceof VendorError) end(false)
      else end(answer.status < 400, { 'http.response.status_code': answer.status })
      if (!(answer instanceof VendorError)) {
        allowances.note(vendor, entrance.key, answer)
        const most = vendor.mostOf?.(answer.headers) ?? null
        if (most !== null) room.allow(most)
      }
      if (answer instanceof VendorError) {
        if (!isHarmless || repeats >= MOST_REPEATS) throw answer
        repeats++
      } else if (answer.status < 300) {
        if (answer.body === undefined)
          throw new VendorError('unreadable', vendor.name, { isUncertain: kind === 'write' })
        return answer.body
      } else if (answer.status === 401 && !isRenewed && (vendor.isExpired?.(answer.body ?? null) ?? true)) {
        access = await entrance.renew(access.access)
        isRenewed = true
        continue
      } else {
        const problem = vendor.explain(answer.status, answer.body ?? null, about)
        const named = namedPause(answer, clock())
        const isRefused = problem.code === 'busy' || (problem.code === 'spent' && named !== null)
        if (!isRefused && !(problem.code === 'unavailable' && isHarmless)) throw problem
        if (!isRefused && ++repeats > MOST_REPEATS) throw problem
        const pause = named ?? pauseOf(pauses++)
        if (clock().getTime() + pause > ends) throw problem
        // others that wait would be refused as well
        if (problem.code === 'busy') room.hold(pause)
        await wait(pause, signal)
        continue
      }
      const pause = pauseOf(pauses++)
      if (clock().getTime() + pause > ends) throw answer
      await wait(pause, signal)
    }
  }

  /** What came, or why nothing did that could be read. */
  async function send(
    vendor: Vendor,
    { method, url, query, json, form, bytes, maxBytes, idempotencyKey }: VendorRequest,
    { access, host }: Access,
    signal: AbortSignal | undefined,
  ): Promise<VendorAnswer | VendorError> {
    const search = new URLSearchParams(query).toString()
    if (url.startsWith('/') && host === null) throw new VendorError('reconnect', vendor.name)
    const address = url.startsWith('/') ? `${host}${url}` : url
    try {
      return await fetch(vendor.name, {
        method,
        url: search ? `${address}?${search}` : address,
        headers: [
          ['Authorization', `Bearer ${access}`],
          ['Accept', 'application/json'],
          ...(json === undefined ? [] : ([['Content-Type', 'application/json']] as const)),
          ...(idempotencyKey === undefined ? [] : ([['Idempotency-Key', idempotencyKey]] as const)),
          ...(form ? ([['Content-Type', 'application/x-www-form-urlencoded']] as const) : []),
          ...(bytes ? ([['Content-Type', 'application/binary']] as const) : []),
        ],
        body: bytes ?? (form ? new URLSearchParams(form).toString() : json === undefined ? null : JSON.stringify(json)),
        maxBytes,
        signal,
      })
    } catch (error) {
      if (error instanceof VendorError && error.code === 'unreachable') return error
      throw error
    }
  }
}
export type CallVendor = ReturnType<typeof createVendorCaller>

/** A hundred of status codes, such as `2xx`, for what is counted. */
const statusClass = (answer: VendorAnswer | VendorError): string =>
  answer instanceof VendorError ? 'unreachable' : `${Math.floor(answer.status / 100)}xx`

/** Longer each time, up to a minute, and a little different for each. */
const pauseOf = (count: number): number =>
  Math.min(FIRST_PAUSE * 2 ** count, LONGEST_PAUSE) * (0.75 + Math.random() / 2)

/** How long a vendor asks to be let be, in ms; null: it does not say. */
function namedPause({ status, headers }: VendorAnswer, now: Date): number | null {
  const named = retryAfter(headers['retry-after'], now)
  if (named !== null || status !== 429) return named
  return untilReset(headers['x-ratelimit-reset'] ?? headers['ratelimit-reset'], now)
}

/** In ms. Retry-After is a number of seconds or a date (RFC 9110). */
export function retryAfter(value: string | undefined, now: Date): number | null {
  if (value === undefined) return null
  if (/^\d{1,6}$/.test(value.trim())) return Number(value) * 1_000
  const date = Date.parse(value)
  return Number.isNaN(date) ? null : Math.max(0, date - now.getTime())
}

/** In ms. A reset is in so many seconds, or at a time in seconds since 1970, by vendor. */
function untilReset(value: string | undefined, now: Date): number | null {
  if (value === undefined || !/^\d{1,10}$/.test(value.trim())) return null
  const seconds = Number(value)
  return Math.max(0, seconds < SINCE_1970 ? seconds * 1_000 : seconds * 1_000 - now.getTime())
}
/** In 2001: no vendor lets one wait so many seconds. */
const SINCE_1970 = 1_000_000_000
