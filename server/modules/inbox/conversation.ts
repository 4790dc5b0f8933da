import { caps } from '../../../engine/values/caps'
import { channelCapabilities } from '../../contracts/channels'
import type { InboxConversation } from '../../contracts/inbox'
import type { Db } from '../../platform/database/database'
import { ApiError } from '../../platform/errors'
import type { Channels } from '../conversations/channels/channel'
import { presentAnswer } from '../conversations/survey/presenter'
import { entriesOf } from './entries'
import { type FoundConversation, findConversation } from './findConversation'
import { mergedInto, survivorsOf } from './merge/mergedInto'
import { isSameVisitor } from './merge/sameVisitor'
import { presentEntry, presentPerson } from './presenter'

/** The visitor's other conversations that are shown. */
const MOST_OTHERS = 10

/** Most characters of an answer on a channel. */
export const textCapOf = (channel: string): number =>
  (Object.hasOwn(channelCapabilities, channel)
    ? channelCapabilities[channel as keyof typeof channelCapabilities].text
    : null) ?? caps.userMessage

/** A conversation with all that is known of its visitor. @throws ApiError not_found */
export async function readConversation(
  db: Db,
  channels: Channels,
  projectId: string,
  gid: string,
): Promise<InboxConversation> {
  const found = await findConversation(db, projectId, gid)
  const { id, chatbot_id, visitor_hash, channel, address } = found
  const [entry, more, survey, participants, blocked, others, merged, into, ends] = await Promise.all([
    entriesOf(db, projectId).where('conversations.id', '=', id).executeTakeFirst(),
    db
      .selectFrom('conversations')
      .leftJoin('contacts', 'contacts.id', 'conversations.contact_id')
      .leftJoin('hand_offs', 'hand_offs.conversation_id', 'conversations.id')
      .select(['conversations.created_at', 'conversations.visitor_unread', 'conversations.contact_id'])
      .select(['contacts.name', 'contacts.email', 'contacts.phone'])
      .select(['hand_offs.handed_over_at', 'hand_offs.team', 'hand_offs.note', 'hand_offs.email as answer_to'])
      .where('conversations.id', '=', id)
      .executeTakeFirst(),
    db
      .selectFrom('survey_answers')
      .select(['block_id', 'rating', 'chosen', 'follow_up', 'resolved', 'feedback', 'answered_at'])
      .where('conversation_id', '=', id)
      // the questions of flows stand among the messages
      .where('block_id', '=', '')
      .executeTakeFirst(),
    db
      .selectFrom('participants')
      .innerJoin('users', 'users.id', 'participants.user_id')
      .select(['users.gid', 'first_name', 'last_name', 'picture'])
      .where('conversation_id', '=', id)
      .orderBy('joined_at')
      .execute(),
    db
      .selectFrom('blocked_visitors')
      .select('id')
      .where('chatbot_id', '=', chatbot_id)
      .where((eb) =>
        visitor_hash
          ? eb('visitor_hash', '=', visitor_hash)
          : eb.and([eb('channel', '=', channel), eb('address', '=', address)]),
      )
      .executeTakeFirst(),
    db
      .selectFrom('conversations')
      .select(['gid', 'created_at', 'status'])
      .where(isSameVisitor(found))
      .orderBy('id', 'desc')
      .limit(MOST_OTHERS)
      .execute(),
    mergedInto(db, found),
    survivorGid(db, found),
    windowEnd(channels, found),
  ])
  if (!entry || !more) throw new ApiError('not_found')
  return {
    ...presentEntry(entry),
    started_at: more.created_at.toISOString(),
    visitor_unread: more.visitor_unread,
    blocked: blocked !== undefined,
    blockable: visitor_hash !== null || address !== null,
    text_cap: textCapOf(channel),
    window_ends: ends?.toISOString() ?? null,
    contact: more.contact_id === null ? null : { name: more.name, email: more.email, phone: more.phone },
    hand_off: more.handed_over_at && {
      at: more.handed_over_at.toISOString(),
      team: more.team ?? '',
      note: more.note ?? '',
      email: more.answer_to,
    },
    survey: survey ? presentAnswer(survey) : null,
    participants: participants.map(presentPerson),
    others: others.map(({ gid, created_at, status }) => ({ gid, at: created_at.toISOString(), status })),
    merged_into: into,
    merged: merged.map(({ gid, created_at, channel, undo_until }) => ({
      ...{ gid, channel, at: created_at.toISOString(), undo_until: undo_until.toISOString() },
    })),
  }
}

async function windowEnd(channels: Channels, row: FoundConversation): Promise<Date | null> {
  const { channel, chatbot_id: chatbotId, address } = row
  if (address === null) return null
  return (await channels.get(channel)?.windowEnd?.({ conversation: row, chatbotId, address })) ?? null
}

/** The conversation in which a merged one is read. */
async function survivorGid(db: Db, row: FoundConversation): Promise<string | null> {
  if (row.merged_into === null) return null
  const into = (await survivorsOf(db, row.project_id, [row.id])).get(row.id)
  const survivor = await db
    .selectFrom('conversations')
    .select('gid')
    .where('id', '=', into ?? row.merged_into)
    .where('project_id', '=', row.project_id)
    .executeTakeFirst()
  return survivor?.gid ?? null
}
