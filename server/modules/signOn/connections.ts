import type { Config } from '../../platform/config/config'
import type { Db, ProjectWork } from '../../platform/database/database'
import type { Secrets } from '../../platform/secrets/secrets'
import type { ProviderClient } from './provider'

/** Where a client's secret belongs. */
export const placeOfSecret = (projectId: string, gid: string) => ({ projectId, row: `sign_on_connections/${gid}` })

/** Where a provider sends people back to: each project has its own, so that no provider answers for another. */
export const redirectAddressOf = ({ publicUrl }: Pick<Config, 'publicUrl'>, pgid: string): string =>
  `${publicUrl}/api/sign-on/${pgid}/callback`

/** The connection of a project as the provider knows it; null: the key that sealed its secret is gone. */
export function clientOf(
  secrets: Secrets,
  config: Config,
  row: { gid: string; project_id: string; pgid: string; issuer: string; client_id: string; sealed_secret: string },
): ProviderClient | null {
  const clientSecret = secrets.open(row.sealed_secret, placeOfSecret(row.project_id, row.gid))
  if (clientSecret === null) return null
  const { issuer, client_id: clientId } = row
  return {
    ...{ projectId: row.project_id, issuer, clientId, clientSecret },
    redirectAddress: redirectAddressOf(config, row.pgid),
  }
}

/** Writes which domains' members need the provider: those that are proven, where it is required. */
export async function renewRule(work: ProjectWork): Promise<void> {
  const connection = await work.selectFrom('sign_on_connections').select('required').executeTakeFirst()
  const proven = connection?.required
    ? await work.selectFrom('sign_on_domains').select('domain').where('proven_at', 'is not', null).execute()
    : []
  await work
    .updateTable('projects')
    .set({ sign_on_domains: proven.map(({ domain }) => domain) })
    .execute()
}

/** The project whose provider speaks for a domain; undefined: none does. */
export const connectionFor = (db: Db, domain: string) =>
  db
    .selectFrom('sign_on_domains')
    .innerJoin('sign_on_connections', 'sign_on_connections.project_id', 'sign_on_domains.project_id')
    .innerJoin('projects', 'projects.id', 'sign_on_connections.project_id')
    .selectAll('sign_on_connections')
    .select('projects.gid as pgid')
    .where('sign_on_domains.domain', '=', domain)
    .where('sign_on_domains.proven_at', 'is not', null)
    .where('projects.suspended_at', 'is', null)
    .executeTakeFirst()
