import type { WhatsappKeys } from '../../../../server/contracts/whatsapp'
import { createConnections } from '../../../../server/modules/whatsapp/connections'
import type { ServerContext } from '../../../../server/platform/context'
import type { PublishedFlow } from '../../publishedFlow'

/** The public id of the number that a chatbot is given: its webhooks come to `/api/whatsapp/<id>/webhook`. */
export const WHATSAPP_GID = 'crashwhatsapp001'

/** Gives a chatbot a number: rows only, WhatsApp is not asked. */
export async function insertWhatsapp(
  context: Pick<ServerContext, 'db' | 'config' | 'clock'>,
  { projectId, chatbotId }: PublishedFlow,
  keys: WhatsappKeys,
): Promise<void> {
  const place = { gid: WHATSAPP_GID, project_id: projectId }
  const { token, app_secret: secret, pin } = keys
  const at = context.clock()
  await context.db
    .insertInto('whatsapp_connections')
    .values({
      ...{ ...place, chatbot_id: chatbotId, app_id: keys.app_id, business_id: keys.business_id },
      ...{ number_id: keys.number_id, phone_number: '+44 20 7946 0958', verified_name: 'Bot', quality: 'GREEN' },
      ...{ sealed_keys: createConnections(context).seal(place, { token, secret, verify: 'x', pin }), registered: true },
      ...{ problem: null, checked_at: at, connected_by: null, connected_at: at },
    })
    .execute()
}
