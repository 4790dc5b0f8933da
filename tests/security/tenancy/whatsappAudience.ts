import type { Db } from '../../../server/platform/database/database'

interface Place {
  db: Db
  projectId: string
  chatbotId: string
  /** stands in each text */
  mark: string
  /** a conversation of the chatbot, which becomes one at WhatsApp */
  conversation: string
  contact: string
}

const at = new Date('2026-01-01T00:00:00Z')

/** Somebody who has written to the chatbot's number and agreed to marketing, and a template. @returns the number's id */
export async function whatsappAudience({ db, projectId: project_id, chatbotId, mark, ...of }: Place): Promise<string> {
  const { id } = await db
    .selectFrom('whatsapp_connections')
    .select('id')
    .where('chatbot_id', '=', chatbotId)
    .executeTakeFirstOrThrow()
  const named = { connection_id: id, project_id }
  const status = { category: 'MARKETING', status: 'APPROVED', quality: '', reason: null, status_at: at }
  const components = JSON.stringify([{ type: 'BODY', text: mark }])
  await db
    .insertInto('whatsapp_templates')
    .values({ ...named, name: 'summer', language: 'en', ...status, components })
    .execute()
  const person = { ...named, user_id: null, phone: '447700900001', name: mark, address: '447700900001' }
  await db
    .insertInto('whatsapp_people')
    .values({ ...person, wrote_at: at, agreed_at: at })
    .execute()
  const contact = await db.selectFrom('contacts').select('id').where('gid', '=', of.contact).executeTakeFirstOrThrow()
  await db
    .updateTable('conversations')
    .set({ channel: 'whatsapp', address: person.address, environment: 'production', contact_id: contact.id })
    .where('gid', '=', of.conversation)
    .execute()
  return id
}
