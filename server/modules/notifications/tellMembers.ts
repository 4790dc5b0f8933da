import { isAllowed } from '../../access/roles'
import { featureOfKind, type NotificationKind, personalSchema } from '../../contracts/personalNotifications'
import type { ServerContext } from '../../platform/context'
import type { Work } from '../../platform/database/database'
import { mailNotifications, pushNotifications } from './jobs'
import { afterQuiet, mailTime } from './times'

export interface Occasion {
  projectId: string
  kind: NotificationKind
  /** identifies what caused it: told twice, it is one notification for each member */
  key: string
  /** who is told; null: all members who may see it */
  users: readonly string[] | null
  conversationId: string | null
  contactId: string | null
  /** the member who caused it, and isn't told */
  actorId: string | null
  at: Date
}

/**
 * Writes the notifications of an occasion in the given transaction: for each member who may see it and wants it, with
 * the jobs that mail and push it. @returns whether there are any
 */
export async function tellMembers(
  work: Work,
  { jobs }: Pick<ServerContext, 'jobs'>,
  { projectId, kind, key, users, conversationId, contactId, actorId, at }: Occasion,
): Promise<boolean> {
  if (users?.length === 0) return false
  const members = await work
    .selectFrom('project_members')
    .leftJoin('notification_settings', (join) =>
      join
        .onRef('notification_settings.project_id', '=', 'project_members.project_id')
        .onRef('notification_settings.user_id', '=', 'project_members.user_id'),
    )
    .select(['project_members.user_id', 'roles', 'settings'])
    .where('project_members.project_id', '=', projectId)
    .$if(users !== null, (query) => query.where('project_members.user_id', 'in', [...(users ?? [])]))
    .execute()
  const rows = members.flatMap(({ user_id, roles, settings: stored }) => {
    if (user_id === actorId || !isAllowed(roles, featureOfKind[kind])) return []
    const settings = personalSchema.parse(stored ?? {})
    const { app, mail, push } = settings.wants[kind]
    if (!app && !mail && !push) return []
    return [
      {
        project_id: projectId,
        user_id,
        kind,
        key,
        conversation_id: conversationId,
        contact_id: contactId,
        actor_id: actorId,
        created_at: at,
        in_app: app,
        mail_at: mail ? mailTime(settings, at) : null,
        push_at: push ? afterQuiet(settings, at) : null,
      },
    ]
  })
  if (rows.length === 0) return false
  const added = await work
    .insertInto('notifications')
    .values(rows)
    .onConflict((conflict) => conflict.columns(['project_id', 'user_id', 'key']).doNothing())
    .returning(['user_id', 'mail_at', 'push_at'])
    .execute()
  for (const { user_id, mail_at, push_at } of added) {
    const job = { payload: { user: user_id }, projectId, keep: true }
    if (mail_at)
      await jobs.schedule(work, mailNotifications, { ...job, runAt: mail_at, key: jobKey(projectId, user_id, mail_at) })
    if (push_at)
      await jobs.schedule(work, pushNotifications, { ...job, runAt: push_at, key: jobKey(projectId, user_id, push_at) })
  }
  return added.length > 0
}

/** One job for all that is due at the same time. */
const jobKey = (projectId: string, userId: string, at: Date) => `${projectId}.${userId}.${at.getTime()}`
