import type { DomainProblem } from '../../../contracts/domains'

/** Thrown when a certificate authority refuses, or can't be understood. */
export class AcmeProblem extends Error {
  override readonly name = 'AcmeProblem'

  constructor(
    /** the last part of `urn:ietf:params:acme:error:…` (RFC 8555, 6.7); empty where it gave none */
    readonly type: string,
    detail: string,
    /** when it may be asked again, if it says so */
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

/** When an answer says that one may come again, by seconds or by a date; null where it does not. */
export function retryAfterOf(header: unknown, now: Date): Date | null {
  if (typeof header !== 'string') return null
  const seconds = /^\d{1,9}$/.test(header) ? Number(header) : Number.NaN
  const at = Number.isNaN(seconds) ? Date.parse(header) : now.getTime() + seconds * 1_000
  return Number.isNaN(at) ? null : new Date(at)
}
