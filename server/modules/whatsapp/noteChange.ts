import { sql } from 'kysely'
import type { Json } from '../../../engine/values/json'
import type { ProjectDb } from '../../platform/database/database'
import { changeMessage, type MessageChange } from '../conversations/channels/changeMessage'
import { WHATSAPP } from './channelName'
import type { ConnectionRow } from './connections'
import type { PersonRow } from './people'
import { type Change, readChange } from './readChange'
import { cut, readMessage } from './readMessage'

interface Noted {
  connection: ConnectionRow
  person: PersonRow
  change: Change
}

/**
 * Notes in the conversation that a person has edited or deleted a message.
 * @returns the conversation; null if there is no such message in it
 */
export async function noteChange(own: ProjectDb, { connection, person, change: one }: Noted, at: Date) {
  const { project_id, chatbot_id } = connection
  const parts = await partsOf(own, person, one.original)
  const change = parts.length > 1 ? await wholeAfter(own, person, parts) : one.change
  const messageId = parts[0]?.wamid ?? one.original
  const place = { projectId: project_id, chatbotId: chatbot_id, channel: WHATSAPP, address: person.address, messageId }
  return changeMessage(own, place, change, at)
}

interface Part {
  wamid: string
  message: Json
}

/** What was typed in a row with a message is one message of the conversation, by the name of its first. */
const partsOf = (own: ProjectDb, { id, project_id }: PersonRow, wamid: string): Promise<Part[]> =>
  own
    .selectFrom('whatsapp_inbound as part')
    .innerJoin('whatsapp_inbound as one', (join) =>
      join.onRef('one.joined_to', '=', 'part.joined_to').onRef('one.project_id', '=', 'part.project_id'),
    )
    .select(['part.wamid', 'part.message'])
    .where('one.person_id', '=', id)
    .where('one.project_id', '=', project_id)
    .where('one.wamid', '=', wamid)
    .orderBy('part.sent_at')
    .orderBy('part.id')
    .execute()

/** What several messages say together, after all that has become of each so far. */
async function wholeAfter(own: ProjectDb, { id }: PersonRow, parts: readonly Part[]): Promise<MessageChange> {
  const rows = await own
    .selectFrom('whatsapp_inbound')
    .select('message')
    .where('person_id', '=', id)
    .where(sql<boolean>`message ->> 'type' in ('edit', 'revoke')`)
    .orderBy('sent_at')
    .orderBy('id')
    .execute()
  const changes = new Map(
    rows.flatMap(({ message }) => readChange(message) ?? []).map((each) => [each.original, each.change]),
  )
  const texts = parts.flatMap(({ wamid, message }) => {
    const change = changes.get(wamid)
    if (change) return change.type === 'edited' ? [change.text] : []
    return [readMessage(message)?.text ?? '']
  })
  return texts.length === 0 ? { type: 'deleted' } : { type: 'edited', text: cut(texts.join('\n')) }
}
