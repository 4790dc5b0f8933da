import type { SignOn, SignOnDomain } from '../../contracts/signOn'
import type { Config } from '../../platform/config/config'
import type { ProjectDb } from '../../platform/database/database'
import { ownershipName } from '../domains/checks'
import { redirectAddressOf } from './connections'
import type { DomainRow } from './domains'
import { SCIM_PATH } from './scim/serveScim'

/** The settings as an answer has them: by hand, so that no secret is among them. */
export async function presentSignOn(db: ProjectDb, config: Config, pgid: string): Promise<SignOn> {
  const row = await db.selectFrom('sign_on_connections').selectAll().executeTakeFirst()
  const domains = await db.selectFrom('sign_on_domains').selectAll().orderBy('id').execute()
  const token = await db.selectFrom('scim_tokens').selectAll().executeTakeFirst()
  return {
    connection: row
      ? {
          ...{ issuer: row.issuer, client_id: row.client_id, required: row.required, joining: row.joining },
          default_role: row.default_role as NonNullable<SignOn['connection']>['default_role'],
          ...{ role_claim: row.role_claim, role_map: row.role_map },
        }
      : null,
    scim_address: config.publicUrl + SCIM_PATH,
    scim: token
      ? {
          ...{ preview: token.preview, created_at: token.created_at.toISOString() },
          last_used_at: token.last_used_at?.toISOString() ?? null,
        }
      : null,
    redirect_address: redirectAddressOf(config, pgid),
    domains: domains.map(presentSignOnDomain),
  }
}

const presentSignOnDomain = ({ gid, domain, challenge, proven_at, ...row }: DomainRow): SignOnDomain => ({
  ...{ gid, domain, record: { name: ownershipName(domain), value: challenge }, proven: proven_at !== null },
  checked_at: row.checked_at?.toISOString() ?? null,
  missing_since: row.missing_since?.toISOString() ?? null,
})
