import type { Selectable } from 'kysely'
import type { Domain } from '../../contracts/domains'
import type { Config } from '../../platform/config/config'
import { ownershipName } from './checks'
import { recordFor } from './hostname'
import type { CustomDomainsTable } from './tables'

export type DomainRow = Selectable<CustomDomainsTable>

const OWNERSHIP = new Set(['txt_missing', 'txt_wrong', 'dns_failed', 'gave_up'])

/** A domain for its screen. @param now to tell whether the certificate has expired */
export function presentDomain(row: DomainRow, config: Config, now: Date): Domain {
  const secure = row.secure && (row.expires_at === null || row.expires_at > now)
  const { type, value } = recordFor(row.apex, config)
  const statusOf = (active: boolean, failed: boolean) => (active ? 'active' : failed ? 'failed' : 'pending')
  const failed = row.status === 'failed'
  return {
    id: row.gid,
    hostname: row.hostname,
    type: row.apex ? 'apex' : 'subdomain',
    status: row.status,
    ownership_verification: {
      name: ownershipName(row.hostname),
      type: 'TXT',
      value: row.challenge,
      status: statusOf(row.owned, failed && OWNERSHIP.has(row.problem ?? '')),
    },
    ssl_verification: { name: row.hostname, type, value, status: statusOf(row.owned && secure, failed && row.owned) },
    problem: row.problem && { code: row.problem, detail: row.detail ?? '' },
    checking: row.requested_at !== null,
    checked_at: row.checked_at?.toISOString() ?? null,
    expires_at: row.expires_at?.toISOString() ?? null,
    certified: row.certificate !== null,
  }
}

/** The same in the form of the account object (SPEC.md 3). */
export function presentWidgetDomain(row: DomainRow, config: Config, now: Date) {
  const { id, hostname, type, status, ownership_verification, ssl_verification } = presentDomain(row, config, now)
  return { id, hostname, type, status, ownership_verification, ssl_verification }
}
