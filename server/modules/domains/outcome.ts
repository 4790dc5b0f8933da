import type { Updateable } from 'kysely'
import { createBackoff } from '../../platform/backoff'
import type { Finding } from './checks'
import type { DomainRow } from './presenter'
import type { CustomDomainsTable } from './tables'

/** What a look at a domain comes to: how its row changes, and when it is looked at again; null: when somebody asks. */
export interface Outcome {
  changes: Updateable<CustomDomainsTable>
  again: Date | null
}

/** Where a look found something wrong. */
export type Step = 'ownership' | 'dns' | 'tls'

const HOUR = 3_600_000
const DAY = 24 * HOUR
/** For how long records are waited for after somebody asked last. */
export const PATIENCE = 14 * DAY
/** For how long a domain that was active is served on without what it needs: a record may be lost by mistake. */
export const GRACE = 7 * DAY
const LOOK_EVERY = DAY

const waitForPeople = createBackoff({ firstMs: 15_000, longestMs: HOUR })
/** An authority counts failures: some five an hour for a host. */
const waitForAuthority = createBackoff({ firstMs: HOUR / 4, longestMs: DAY })

const later = (now: Date, ms: number): Date => new Date(now.getTime() + ms)
/** The sooner of two times, the second of which there may not be. */
export const sooner = (one: Date, other: Date | null): Date => (other && other < one ? other : one)
const hasCertificate = ({ secure, expires_at }: DomainRow, now: Date): boolean =>
  secure && (expires_at === null || expires_at > now)

/** Between two looks at what is well: whatever an authority says, or a clock that is wrong. */
const LEAST_WAIT = HOUR

/** All is well. @param askAt when to look again at the latest */
export function active(row: Pick<DomainRow, 'proven_at'>, now: Date, askAt: Date | null = null): Outcome {
  const well = { problem: null, detail: null, attempts: 0, failing_since: null }
  return {
    changes: { ...well, status: 'active', owned: true, proven_at: row.proven_at ?? now, secure: true },
    again: new Date(Math.max(sooner(later(now, LOOK_EVERY), askAt).getTime(), now.getTime() + LEAST_WAIT)),
  }
}

/**
 * Something is missing that people put right, or that passes: it is waited for, ever longer. What was active stays so for a while.
 * @param finding what is wrong
 */
export function lacking(row: DomainRow, step: Step, finding: NonNullable<Finding>, now: Date): Outcome {
  const attempts = row.attempts + 1
  const since = row.failing_since ?? now
  const passed = now.getTime() - since.getTime()
  const found = { ...finding, attempts, failing_since: since }
  const again = later(now, waitForPeople(attempts))
  // from the first look on that found the record, nothing but the chatbot is served there
  const proven = step === 'ownership' ? {} : { owned: true, proven_at: row.proven_at ?? now }
  // servers that can't say are no proof of the contrary
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

/** Whoever no longer proves to own a host gets no certificate for it, and is served by none. */
const lost = (step: Step): Updateable<CustomDomainsTable> =>
  step === 'ownership' ? { owned: false, secure: false, ...noCertificate } : { secure: false }

export const noCertificate = {
  certificate: null,
  sealed_key: null,
  certified_at: null,
  expires_at: null,
  renew_at: null,
} as const

/** The authority refused. A certificate that is still good is served on. @param retryAfter when it may be asked again at the soonest */
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
