import type { ServerContext } from '../../platform/context'
import { createProjectStream } from '../../platform/outbound/projectNetworks'
import { createSecrets } from '../../platform/secrets/secrets'
import { type ProviderAccess, projectNames } from './providers/access'
import type { AiConnectionsTable } from './tables'

/** A project's provider, and how to reach it; null if its key can't be decrypted. */
export interface ProjectConnection {
  id: string
  provider: AiConnectionsTable['provider']
  embeddingModel: string | null
  speechModel: string | null
  access: ProviderAccess | null
}

type Row = Pick<AiConnectionsTable, 'gid' | 'project_id' | 'provider' | 'sealed_key' | 'base_url'>

/** Reads projects' providers. Addresses set by a project are called through the guard; a provider's own are trusted. */
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

    /** A connection's key: null if it has none, undefined if it can't be decrypted. */
    keyOf: (row: Pick<Row, 'gid' | 'project_id' | 'sealed_key'>): string | null | undefined =>
      row.sealed_key === null ? null : (secrets.open(row.sealed_key, placeOf(row)) ?? undefined),

    /** In order of creation. */
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
          speechModel: row.speech_model,
          access: key === undefined ? null : accessTo(row.project_id, row.provider, key, row.base_url),
        }
      })
    },
  }
}
