import type { DomainProblem } from '../../../contracts/domains'

/** Thrown when a certificate authority refuses a request, or its response is invalid. */
export class AcmeProblem extends Error {
  override readonly name = 'AcmeProblem'

  constructor(
    /** the last part of `urn:ietf:params:acme:error:…` (RFC 8555, 6.7); empty if there is none */
    readonly type: string,
    detail: string,
    /** the earliest time of the next attempt, if given */
    readonly retryAfter: Date | null = null,
  ) {
    super(detail.slice(0, 500))
  }

  get problem(): DomainProblem {
    return byType[this.type] ?? 'ca_failed'
  }
}

const byType: Partial<Record<string, DomainProblem>> = {
  dns: 'ca_dns',
  connection: 'ca_connection',
  tls: 'ca_connection',
  unauthorized: 'ca_unauthorized',
  incorrectResponse: 'ca_unauthorized',
  caa: 'ca_caa',
  rateLimited: 'ca_rate_limited',
  rejectedIdentifier: 'ca_rejected',
  unsupportedIdentifier: 'ca_rejected',
}

/** Parses a Retry-After header: seconds or a date; null without one. */
export function retryAfterOf(header: unknown, now: Date): Date | null {
  if (typeof header !== 'string') return null
  const seconds = /^\d{1,9}$/.test(header) ? Number(header) : Number.NaN
  const at = Number.isNaN(seconds) ? Date.parse(header) : now.getTime() + seconds * 1_000
  return Number.isNaN(at) ? null : new Date(at)
}
