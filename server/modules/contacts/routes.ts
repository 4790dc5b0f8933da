import type { FastifyInstance } from 'fastify'
import { contactFields } from '../../../engine/values/contactFields'
import { chatbotOf } from '../../access/chatbots'
import { registerRoute } from '../../access/register'
import { CONTACTS_PER_PAGE, type ContactEntry, listContacts } from '../../contracts/contacts'
import type { ServerContext } from '../../platform/context'

export function registerContacts(app: FastifyInstance, context: ServerContext): void {
  registerRoute(app, context, listContacts, async ({ caller, params, query: { before, test } }) => {
    const chatbot = await chatbotOf(caller.db, caller.project.id, params.cgid)
    const rows = await caller.db
      .selectFrom('contacts')
      .selectAll()
      .where('chatbot_id', '=', chatbot.id)
      .$if(before !== undefined, (contacts) =>
        contacts.where('id', '<', ({ selectFrom }) =>
          selectFrom('contacts')
            .select('id')
            .where('gid', '=', before ?? ''),
        ),
      )
      .$if(test !== undefined, (contacts) => contacts.where('test', '=', test === 'only'))
      .orderBy('id', 'desc')
      .limit(CONTACTS_PER_PAGE + 1)
      .execute()
    return {
      contacts: rows.slice(0, CONTACTS_PER_PAGE).map((row) => ({
        gid: row.gid,
        fields: Object.fromEntries(contactFields.map((field) => [field, row[field]])) as ContactEntry['fields'],
        custom: row.custom,
        test: row.test,
        created_at: row.created_at.toISOString(),
        updated_at: row.updated_at.toISOString(),
      })),
      more: rows.length > CONTACTS_PER_PAGE,
    }
  })
}
