import type { ServerContext } from '../../platform/context'
import type { Db } from '../../platform/database/database'
import { createSecrets } from '../../platform/secrets/secrets'
import { newSecret } from '../webhooks/sign'
import type { MessageApiRow } from './tables'

/** The channel's name in conversations. */
export const MESSAGE_API = 'message_api'

/** A chatbot's row of the channel, and its secret. */
export function createMessageApis({ config }: Pick<ServerContext, 'config'>) {
  const secrets = createSecrets(config)
  const placeOf = ({ gid, project_id }: Pick<MessageApiRow, 'gid' | 'project_id'>) => ({
    projectId: project_id,
    row: `message_api_channels/${gid}`,
  })
  return {
    ofChatbot: (db: Db, projectId: string, chatbotId: string): Promise<MessageApiRow | undefined> =>
      db
        .selectFrom('message_api_channels')
        .selectAll()
        .where('project_id', '=', projectId)
        .where('chatbot_id', '=', chatbotId)
        .executeTakeFirst(),

    /** null: the key that sealed it is gone */
    secretOf: (row: MessageApiRow): string | null => secrets.open(row.sealed_secret, placeOf(row)),

    /** A new secret, and how it is stored. */
    newSecret(row: Pick<MessageApiRow, 'gid' | 'project_id'>): { secret: string; sealed_secret: string } {
      const secret = newSecret()
      return { secret, sealed_secret: secrets.seal(secret, placeOf(row)) }
    },
  }
}
export type MessageApis = ReturnType<typeof createMessageApis>
