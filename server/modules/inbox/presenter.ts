import type { InboxEntry, InboxPerson } from '../../contracts/inbox'
import { pictureAddress } from '../../contracts/pictures'
import type { entriesOf } from './entries'
import type { FoundMessage } from './search'

export type EntryRow = Awaited<ReturnType<ReturnType<typeof entriesOf>['execute']>>[number]

/** A person's name for colleagues. */
export const nameOf = (first: string | null, last: string | null): string => `${first ?? ''} ${last ?? ''}`.trim()

interface PersonRow {
  gid: string
  first_name: string | null
  last_name: string | null
  picture: string | null
}
/** A member as colleagues see them. */
export const presentPerson = ({ gid, first_name, last_name, picture }: PersonRow): InboxPerson => ({
  gid,
  name: nameOf(first_name, last_name),
  picture: pictureAddress(picture),
})

const dueOf = ({ due_at, answered_at, answer_due_at }: EntryRow): InboxEntry['due'] =>
  due_at && {
    what: answered_at === null && answer_due_at?.getTime() === due_at.getTime() ? 'answer' : 'resolution',
    at: due_at.toISOString(),
  }

/** @param found the message to show, instead of the newest */
export function presentEntry(row: EntryRow, found?: FoundMessage): InboxEntry {
  const { assignee_gid, assignee_first, assignee_last, assignee_picture: picture } = row
  const assignee = assignee_gid
    ? presentPerson({ gid: assignee_gid, first_name: assignee_first, last_name: assignee_last, picture })
    : null
  const last =
    found ??
    (row.last_seq !== null && row.last_author !== null && row.last_at
      ? {
          seq: row.last_seq,
          author: row.last_author,
          sender_id: row.last_sender,
          created_at: row.last_at,
          words: row.last_words,
        }
      : null)
  return {
    gid: row.gid,
    chatbot: { gid: row.chatbot_gid, name: row.chatbot_name, sample: row.is_sample },
    visitor: row.contact_name || row.contact_email || row.hand_off_email || row.address,
    status: row.status,
    channel: row.channel,
    environment: row.environment,
    language: row.language,
    assignee,
    team: row.team_gid && row.team_name ? { gid: row.team_gid, name: row.team_name } : null,
    priority: row.priority,
    snoozed_until: row.snoozed_until?.toISOString() ?? null,
    waiting_since: row.waiting_since?.toISOString() ?? null,
    due: dueOf(row),
    labels: row.labels ?? [],
    unread: row.team_unread,
    rating: row.rating,
    last: last && {
      seq: last.seq,
      text: last.words ?? '',
      by: last.author === 2 ? 'visitor' : last.sender_id ? 'person' : 'bot',
      at: last.created_at.toISOString(),
    },
    updated_at: row.updated_at.toISOString(),
  }
}
