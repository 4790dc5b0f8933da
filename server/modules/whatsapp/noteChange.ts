import { sql } from 'kysely'
import type { Json } from '../../../engine/values/json'
import type { ProjectDb } from '../../platform/database/database'
import { changePhone } from '../contacts/changePhone'
import { channelIdentity } from '../contacts/verifiedContact'
import { changeMessage, type MessageChange } from '../conversations/channels/changeMessage'
import { noteReaction, noteTold } from '../conversations/channels/noteAside'
import { WHATSAPP } from './channelName'
import type { ConnectionRow } from './connections'
import type { PersonRow } from './people'
import { type Aside, type Change, readChange } from './readChange'
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

/**
 * Notes a reaction at its message, or what WhatsApp tells of a person in their last conversation. Noted again after a
 * crash, it is noted once: the message counts as taken in the same transaction.
 * @param inbound the message's row @returns the conversation; null if it belongs to none
 */
export async function noteAside(
  own: ProjectDb,
  { connection, person, aside, inbound }: Pick<Noted, 'connection' | 'person'> & { aside: Aside; inbound: string },
  at: Date,
): Promise<string | null> {
  const { project_id: projectId, chatbot_id: chatbotId } = connection
  const place = { projectId, chatbotId, channel: WHATSAPP, address: person.address }
  if (aside.type === 'reaction') {
    const sent = await own
      .selectFrom('whatsapp_sends')
      .select('key')
      .where('project_id', '=', projectId)
      .where('connection_id', '=', connection.id)
      .where('person_id', '=', person.id)
      .where('wamid', '=', aside.to)
      .executeTakeFirst()
    const [first] = sent ? [] : await partsOf(own, person, aside.to)
    const to = sent ? { delivered: sent.key } : { received: first?.wamid ?? aside.to }
    return noteReaction(own, place, to, aside.emoji, at)
  }
  const kind = aside.type === 'unsupported' ? aside.kind : undefined
  return own.transaction().execute(async (work) => {
    const taken = await work
      .updateTable('whatsapp_inbound')
      .set({ taken_at: at })
      .where('id', '=', inbound)
      .where('project_id', '=', projectId)
      .where('taken_at', 'is', null)
      .returning('id')
      .executeTakeFirst()
    if (!taken) return null
    if (aside.type === 'number_changed' && aside.phone !== null && person.phone !== null)
      await changePhone(work, { ...place, verifiedId: channelIdentity(WHATSAPP, person.address) }, person.phone, at)
    return noteTold(work, place, { what: aside.type, ...(kind !== undefined && { kind }) }, at)
  })
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
