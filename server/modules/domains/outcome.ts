import type { Updateable } from 'kysely'
import { createBackoff } from '../../platform/backoff'
import type { Finding } from './checks'
import type { DomainRow } from './presenter'
import type { CustomDomainsTable } from './tables'

/** The result of checking a domain: the changes of its row, and the time of the next check; null: when a user asks. */
export interface Outcome {
  changes: Updateable<CustomDomainsTable>
  again: Date | null
}

/** The step at which a check failed. */
export type Step = 'ownership' | 'dns' | 'tls'

const HOUR = 3_600_000
const DAY = 24 * HOUR
/** How long checks for records are repeated after a user last asked. */
export const PATIENCE = 14 * DAY
/** How long an active domain is served without its records: they may have been lost by mistake. */
export const GRACE = 7 * DAY
const LOOK_EVERY = DAY

const waitForPeople = createBackoff({ firstMs: 15_000, longestMs: HOUR })
/** Authorities limit failures: some five an hour per host. */
const waitForAuthority = createBackoff({ firstMs: HOUR / 4, longestMs: DAY })

const later = (now: Date, ms: number): Date => new Date(now.getTime() + ms)
/** The earlier of two times, the second of which may be null. */
export const sooner = (one: Date, other: Date | null): Date => (other && other < one ? other : one)
const hasCertificate = ({ secure, expires_at }: DomainRow, now: Date): boolean =>
  secure && (expires_at === null || expires_at > now)

/** The least time between two checks of a valid domain, in case an authority's time or a clock is wrong. */
const LEAST_WAIT = HOUR

/** All checks passed. @param askAt the latest time of the next check */
export function active(row: Pick<DomainRow, 'proven_at'>, now: Date, askAt: Date | null = null): Outcome {
  const well = { problem: null, detail: null, attempts: 0, failing_since: null }
  return {
    changes: { ...well, status: 'active', owned: true, proven_at: row.proven_at ?? now, secure: true },
    again: new Date(Math.max(sooner(later(now, LOOK_EVERY), askAt).getTime(), now.getTime() + LEAST_WAIT)),
  }
}

/**
 * A problem that people can solve, or that may be temporary: checks are repeated at growing intervals. An active domain
 * stays active for a while.
 * @param finding the problem
 */
export function lacking(row: DomainRow, step: Step, finding: NonNullable<Finding>, now: Date): Outcome {
  const attempts = row.attempts + 1
  const since = row.failing_since ?? now
  const passed = now.getTime() - since.getTime()
  const found = { ...finding, attempts, failing_since: since }
  const again = later(now, waitForPeople(attempts))
  // from the first check that found the record, only the chatbot is served there
  const proven = step === 'ownership' ? {} : { owned: true, proven_at: row.proven_at ?? now }
  // a failed query does not disprove ownership
  const disproven = step === 'ownership' && finding.problem !== 'dns_failed' ? { owned: false } : {}
  if (row.status === 'active' || row.status === 'renewing') {
    const status = hasCertificate(row, now) ? row.status : 'failed'
    if (passed < GRACE && status !== 'failed') return { changes: { ...proven, ...found, status }, again }
    return { changes: { ...proven, ...found, ...lost(step), status: 'failed' }, again }
  }
  const changes = { ...proven, ...disproven, ...found }
  if (passed >= PATIENCE) return { changes: { ...changes, status: 'failed', problem: 'gave_up' }, again: null }
  return { changes: { ...changes, status: pending[step] }, again }
}

const pending = { ownership: 'pending_ownership', dns: 'pending_dns', tls: 'issuing' } as const

/** Without proof of ownership, a host gets no certificate and is not served. */
const lost = (step: Step): Updateable<CustomDomainsTable> =>
  step === 'ownership' ? { owned: false, secure: false, ...noCertificate } : { secure: false }

export const noCertificate = {
  certificate: null,
  sealed_key: null,
  certified_at: null,
  expires_at: null,
  renew_at: null,
} as const

/**
 * The authority refused. A certificate that is still valid stays in use. @param retryAfter the earliest time of the
 * next request
 */
export function refused(
  row: DomainRow,
  finding: NonNullable<Finding>,
  now: Date,
  retryAfter: Date | null = null,
): Outcome {
  const attempts = row.attempts + 1
  const wait = later(now, waitForAuthority(attempts))
  const again = retryAfter && retryAfter > wait ? sooner(later(now, 7 * DAY), retryAfter) : wait
  const good = hasCertificate(row, now)
  return {
    changes: {
      ...finding,
      attempts,
      failing_since: row.failing_since ?? now,
      owned: true,
      proven_at: row.proven_at ?? now,
      secure: good,
      status: good ? 'renewing' : 'failed',
    },
    again,
  }
}
