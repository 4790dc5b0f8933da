import { sql } from 'kysely'
import type { ServerContext } from '../../platform/context'
import { createSecrets } from '../../platform/secrets/secrets'

/** Every column with values encrypted by `createSecrets`, each for the place `<table>/<gid>`. */
const sealedColumns = [
  ['ai_connections', 'sealed_key'],
  ['tool_servers', 'sealed_token'],
  ['agent_actions', 'sealed_headers'],
  ['project_secrets', 'sealed_value'],
  ['custom_domains', 'sealed_key'],
  ['identity_secrets', 'sealed_secret'],
  ['connections', 'sealed_tokens'],
  ['whatsapp_connections', 'sealed_keys'],
  ['weekly_mail_guests', 'sealed_key'],
] as const

/**
 * Encrypts again what an older key of `SECRET_KEYS` has encrypted, so that the key can be removed. Undecryptable values
 * stay. For all projects.
 */
export async function renewSeals({ db, config }: Pick<ServerContext, 'db' | 'config'>): Promise<void> {
  const secrets = createSecrets(config)
  for (const [table, column] of sealedColumns) {
    const { rows } = await sql<{ id: string; gid: string; project_id: string; sealed: string }>`
      select id, gid, project_id, ${sql.ref(column)} as sealed from ${sql.table(table)} where ${sql.ref(column)} is not null
    `.execute(db)
    for (const { id, gid, project_id, sealed } of rows) {
      const place = { projectId: project_id, row: `${table}/${gid}` }
      const text = secrets.isFresh(sealed) ? null : secrets.open(sealed, place)
      if (text === null) continue
      await sql`
        update ${sql.table(table)} set ${sql.ref(column)} = ${secrets.seal(text, place)}
        where id = ${id} and project_id = ${project_id} and ${sql.ref(column)} = ${sealed}
      `.execute(db)
    }
  }
}
