import { type RawBuilder, sql } from 'kysely'
import type { ServerContext } from '../../platform/context'
import { createSecrets } from '../../platform/secrets/secrets'

/** A column with values encrypted by `createSecrets`. */
interface Sealed {
  table: string
  column: string
  /** what tells its rows apart */
  key: string
  /** the place for which a row's value is encrypted, as `SecretPlace` */
  projectId: RawBuilder<string>
  row: RawBuilder<string>
}

/** Of a row that has a gid. @param part which of its values it is, where there are several */
const ofRow = (table: string, column: string, part = '', key = 'id'): Sealed => ({
  ...{ table, column, key },
  projectId: sql`project_id`,
  row: sql`${sql.lit(`${table}/`)} || gid || ${sql.lit(part)}`,
})

/**
 * Every such column. Those of `oauth_states` and `sign_on_attempts` live for minutes, and `frame/` is a token that is
 * given out for an hour, so that they need none.
 */
export const sealedColumns: readonly Sealed[] = [
  ofRow('ai_connections', 'sealed_key'),
  ofRow('tool_servers', 'sealed_token'),
  ofRow('agent_actions', 'sealed_headers'),
  ofRow('project_secrets', 'sealed_value'),
  ofRow('sign_on_connections', 'sealed_secret'),
  ofRow('custom_domains', 'sealed_key'),
  ofRow('identity_secrets', 'sealed_secret'),
  ofRow('connections', 'sealed_tokens'),
  ofRow('whatsapp_connections', 'sealed_keys'),
  ofRow('message_api_channels', 'sealed_secret'),
  ofRow('weekly_mail_guests', 'sealed_key'),
  ofRow('webhook_triggers', 'sealed_token', '/token'),
  ofRow('webhook_triggers', 'sealed_secret', '/secret'),
  ofRow('webhook_endpoints', 'sealed_secret', '/secret'),
  ofRow('webhook_endpoints', 'sealed_old_secret', '/secret'),
  ofRow('mail_inboxes', 'sealed_password', '/password', 'gid'),
  ofRow('mail_inboxes', 'sealed_secret', '/secret', 'gid'),
  {
    ...{ table: 'mail_threads', column: 'sealed_key', key: 'conversation_id' },
    projectId: sql`project_id`,
    row: sql`'mail_threads/' || conversation_id`,
  },
  {
    ...{ table: 'calendly_hooks', column: 'sealed_key', key: 'connection_id' },
    projectId: sql`project_id`,
    row: sql`'calendly_hooks/' || (select gid from connections where connections.id = connection_id)`,
  },
  {
    ...{ table: 'acme_accounts', column: 'sealed_key', key: 'directory' },
    projectId: sql`''`,
    row: sql`'acme_accounts/' || directory`,
  },
  {
    ...{ table: 'two_factors', column: 'sealed_secret', key: 'user_id' },
    projectId: sql`''`,
    row: sql`'two_factors/' || user_id`,
  },
  {
    ...{ table: 'push_keys', column: 'sealed_private_key', key: 'only_one' },
    projectId: sql`'0'`,
    row: sql`'push_keys'`,
  },
]

/** How many are encrypted anew before the next ones are read. */
const PAGE = 500

/**
 * Encrypts again what an older key of `SECRET_KEYS` has encrypted, so that the key can be removed. Undecryptable values
 * stay. For all projects.
 */
export async function renewSeals({ db, config }: Pick<ServerContext, 'db' | 'config'>): Promise<void> {
  const secrets = createSecrets(config)
  for (const { table, column, key, projectId, row } of sealedColumns) {
    const [from, value, id] = [sql.table(table), sql.ref(column), sql.ref(key)]
    for (let after: string | null = null; ; ) {
      type Found = { id: string; sealed: string; project: string; place: string }
      const later: RawBuilder<unknown> = after === null ? sql`true` : sql`${id} > ${after}`
      const { rows }: { rows: Found[] } = await sql<Found>`
        select ${id} as id, ${value} as sealed, ${projectId} as project, ${row} as place from ${from}
        where ${value} is not null and not starts_with(${value}, ${secrets.freshPrefix}) and ${later}
        order by ${id} limit ${PAGE}
      `.execute(db)
      for (const { id: own, sealed, project, place } of rows) {
        const where = { projectId: project, row: place }
        const text = secrets.open(sealed, where)
        if (text === null) continue
        await sql`update ${from} set ${value} = ${secrets.seal(text, where)} where ${id} = ${own} and ${value} = ${sealed}`.execute(
          db,
        )
      }
      const last = rows.at(-1)
      if (!last || rows.length < PAGE) break
      after = last.id
    }
  }
}
