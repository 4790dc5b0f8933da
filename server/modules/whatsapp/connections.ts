import { type Selectable, sql } from 'kysely'
import { z } from 'zod'
import type { ServerContext } from '../../platform/context'
import type { Db } from '../../platform/database/database'
import { createSecrets } from '../../platform/secrets/secrets'
import type { WhatsappConnectionsTable } from './tables'

export type ConnectionRow = Selectable<WhatsappConnectionsTable>

const keysSchema = z.strictObject({ token: z.string(), secret: z.string(), verify: z.string(), pin: z.string() })
/** What opens a number: the access token, the app's secret, what WhatsApp verifies our address by, and the PIN. */
export type Keys = z.infer<typeof keysSchema>

/** Noted where WhatsApp is not told to send to this installation: that messages go out says nothing of it. */
export const NOT_HEARD = 'WhatsApp does not send messages here. Connect it again.'

/** Numbers of one account that its templates are noted for. */
const MOST_NUMBERS = 200

/** Chatbots' numbers at WhatsApp, and what opens them, sealed. */
export function createConnections({ db, config, clock }: Pick<ServerContext, 'db' | 'config' | 'clock'>) {
  const secrets = createSecrets(config)
  const placeOf = ({ gid, project_id }: Pick<ConnectionRow, 'gid' | 'project_id'>) => ({
    projectId: project_id,
    row: `whatsapp_connections/${gid}`,
  })

  return {
    seal: (place: Pick<ConnectionRow, 'gid' | 'project_id'>, keys: Keys): string =>
      secrets.seal(JSON.stringify(keys), placeOf(place)),

    /** Null if it was sealed by a key that is gone. */
    keysOf(row: ConnectionRow): Keys | null {
      const text = secrets.open(row.sealed_keys, placeOf(row))
      return text === null ? null : keysSchema.parse(JSON.parse(text))
    },

    /** Connections by their public ids, in whatever projects: webhooks name them, and are signed. */
    byGids: (gids: readonly string[]) =>
      db
        .selectFrom('whatsapp_connections')
        .selectAll()
        .where('gid', '=', sql<string>`any(${[...new Set(gids)]}::text[])`)
        .execute(),

    /** A connection by its public id, in whatever project: WhatsApp asks whether its address is ours. */
    byGid: (gid: string) => db.selectFrom('whatsapp_connections').selectAll().where('gid', '=', gid).executeTakeFirst(),

    /** A connection by the id of its number, in whatever project. */
    byNumber: (numberId: string) =>
      db.selectFrom('whatsapp_connections').selectAll().where('number_id', '=', numberId).executeTakeFirst(),

    /** Connections of a business account, in whatever project. */
    ofBusiness: (businessId: string) =>
      db
        .selectFrom('whatsapp_connections')
        .selectAll()
        .where('business_id', '=', businessId)
        .limit(MOST_NUMBERS)
        .execute(),

    ofChatbot: (own: Db, projectId: string, chatbotId: string) =>
      own
        .selectFrom('whatsapp_connections')
        .selectAll()
        .where('project_id', '=', projectId)
        .where('chatbot_id', '=', chatbotId)
        .executeTakeFirst(),

    /** Notes why it does not work; null: it works. */
    async note(row: Pick<ConnectionRow, 'id' | 'project_id'>, problem: string | null): Promise<void> {
      await db
        .forProject(row.project_id)
        .updateTable('whatsapp_connections')
        .set({ problem: problem?.slice(0, 500) ?? null, checked_at: clock() })
        .where('id', '=', row.id)
        .execute()
    },
  }
}
export type Connections = ReturnType<typeof createConnections>
