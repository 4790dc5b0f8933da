import { sql } from 'kysely'
import { isAllowed } from '../../access/roles'
import {
  featureOfKind,
  NOTIFICATIONS_PER_PAGE,
  type NotificationEntry,
  type NotificationKind,
  notificationKinds,
} from '../../contracts/personalNotifications'
import type { Db } from '../../platform/database/database'

/** The kinds that somebody with these roles may see. */
export const kindsFor = (roles: readonly number[]): NotificationKind[] =>
  notificationKinds.filter((kind) => isAllowed(roles, featureOfKind[kind]))

interface Wanted {
  projectId: string
  userId: string
  kinds: readonly NotificationKind[]
}

/** A member's notifications with what they are about, the newest first. */
export function entriesOf(db: Db, { projectId, userId, kinds }: Wanted) {
  return db
    .selectFrom('notifications')
    .leftJoin('conversations', 'conversations.id', 'notifications.conversation_id')
    .leftJoin('contacts', 'contacts.id', 'notifications.contact_id')
    .leftJoin('hand_offs', 'hand_offs.conversation_id', 'notifications.conversation_id')
    .leftJoin('chatbots', (join) =>
      join.on(({ or, eb }) =>
        or([
          eb('chatbots.id', '=', eb.ref('conversations.chatbot_id')),
          eb.and([eb('conversations.id', 'is', null), eb('chatbots.id', '=', eb.ref('contacts.chatbot_id'))]),
        ]),
      ),
    )
    .leftJoin('users', 'users.id', 'notifications.actor_id')
    .select([
      'notifications.id',
      'notifications.kind',
      'notifications.created_at',
      'notifications.seen_at',
      'conversations.gid as conversation',
      'chatbots.gid as chatbot',
      'chatbots.name as chatbot_name',
      'users.first_name',
      'users.last_name',
    ])
    .select(who.as('who'))
    .where('notifications.project_id', '=', projectId)
    .where('notifications.user_id', '=', userId)
    .where('notifications.kind', 'in', kinds.length > 0 ? [...kinds] : [sql<never>`null`])
    .orderBy('notifications.id', 'desc')
    .limit(NOTIFICATIONS_PER_PAGE + 1)
}
/** As the inbox names its visitors: whoever is no contact is known by the address that a hand-over was given. */
const who = sql<
  string | null
>`coalesce(contacts.name, contacts.email, contacts.phone, hand_offs.email, contacts.user_id)`

type Row = Awaited<ReturnType<ReturnType<typeof entriesOf>['execute']>>[number]

export const presentEntry = (row: Row): NotificationEntry => ({
  id: row.id,
  kind: row.kind,
  at: row.created_at.toISOString(),
  seen: row.seen_at !== null,
  who: row.who,
  by: row.first_name === null ? null : `${row.first_name} ${row.last_name}`.trim(),
  chatbot: row.chatbot === null ? null : { gid: row.chatbot, name: row.chatbot_name ?? '' },
  conversation: row.conversation,
})

/** How many notifications a member has not seen in the interface. */
export async function countUnseen(db: Db, { projectId, userId, kinds }: Wanted): Promise<number> {
  if (kinds.length === 0) return 0
  const { count } = await db
    .selectFrom('notifications')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('project_id', '=', projectId)
    .where('user_id', '=', userId)
    .where('kind', 'in', [...kinds])
    .where('in_app', '=', true)
    .where('seen_at', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(count)
}
