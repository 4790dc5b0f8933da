import type { ServerContext } from '../../platform/context'
import { createProjectStream } from '../../platform/outbound/projectNetworks'
import { createSecrets } from '../../platform/secrets/secrets'
import { type ProviderAccess, projectNames } from './providers/access'
import type { AiConnectionsTable } from './tables'

/** A provider as a project has set it up, and how it is reached; null where its key can't be opened. */
export interface ProjectConnection {
  id: string
  provider: AiConnectionsTable['provider']
  embeddingModel: string | null
  access: ProviderAccess | null
}

type Row = Pick<AiConnectionsTable, 'gid' | 'project_id' | 'provider' | 'sealed_key' | 'base_url'>

/**
 * Reads what projects have set up. Their own addresses are called through the guard; a provider's own is the operator's
 * matter.
 */
export function createConnections({ db, config }: Pick<ServerContext, 'db' | 'config'>) {
  const secrets = createSecrets(config)
  const placeOf = (row: Pick<Row, 'gid' | 'project_id'>) => ({
    projectId: row.project_id,
    row: `ai_connections/${row.gid}`,
  })

  function accessTo(
    projectId: string,
    provider: ProviderAccess['provider'],
    apiKey: string | null,
    baseUrl: string | null,
  ): ProviderAccess | null {
    if (baseUrl !== null) {
      const fetch = createProjectStream({ db, config }, projectId)
      return { provider, apiKey, baseUrl, fetch, names: projectNames }
    }
    if (provider === 'openai-compatible') return null
    return { provider, apiKey, baseUrl: config.providers[provider].baseUrl, fetch: null, names: projectNames }
  }

  return {
    accessTo,
    seal: (row: Pick<Row, 'gid' | 'project_id'>, key: string) => secrets.seal(key, placeOf(row)),

    /** The key of a connection: null where it has none, undefined where it can't be opened. */
    keyOf: (row: Pick<Row, 'gid' | 'project_id' | 'sealed_key'>): string | null | undefined =>
      row.sealed_key === null ? null : (secrets.open(row.sealed_key, placeOf(row)) ?? undefined),

    /** In the order in which they were made. */
    async ofProject(projectId: string): Promise<ProjectConnection[]> {
      const rows = await db
        .forProject(projectId)
        .selectFrom('ai_connections')
        .selectAll()
        .where('project_id', '=', projectId)
        .orderBy('id')
        .execute()
      return rows.map((row) => {
        const key = this.keyOf(row)
        return {
          id: row.id,
          provider: row.provider,
          embeddingModel: row.embedding_model,
          access: key === undefined ? null : accessTo(row.project_id, row.provider, key, row.base_url),
        }
      })
    },
  }
}
