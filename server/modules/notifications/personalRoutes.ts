import type { FastifyInstance } from 'fastify'
import type { ProjectCaller } from '../../access/access'
import { memberOf } from '../../access/access'
import { registerRoute } from '../../access/register'
import { authenticate } from '../../access/sessions'
import {
  listMyNotifications,
  myNotificationEvents,
  NOTIFICATIONS_PER_PAGE,
  personalSchema,
  readMySettings,
  saveMySettings,
  seeMyNotifications,
} from '../../contracts/personalNotifications'
import type { ServerContext } from '../../platform/context'
import { ApiError } from '../../platform/errors'
import { appendEvent } from '../../platform/events/defineEvent'
import { callerAddress } from '../../platform/http/callerAddress'
import { createStreams } from '../conversations/runtime/streamUpdates'
import { countUnseen, entriesOf, kindsFor, presentEntry } from './entries'
import { notificationSettingsChanged } from './events'
import type { LiveNotifications } from './live'

/** A member's own notifications: the list, what is seen, the settings, and a stream that tells of new ones. */
export function registerPersonal(app: FastifyInstance, context: ServerContext, live: LiveNotifications): void {
  const { clock } = context
  const stream = createStreams()
  const of = ({ project, user, roles }: Pick<ProjectCaller, 'project' | 'user' | 'roles'>) => ({
    projectId: project.id,
    userId: user.id,
    kinds: kindsFor(roles),
  })

  registerRoute(app, context, listMyNotifications, async ({ caller, query: { before } }) => {
    const rows = await entriesOf(caller.db, of(caller))
      .where('notifications.in_app', '=', true)
      .$if(before !== undefined, (query) => query.where('notifications.id', '<', before ?? '0'))
      .execute()
    return {
      notifications: rows.slice(0, NOTIFICATIONS_PER_PAGE).map(presentEntry),
      unseen: await countUnseen(caller.db, of(caller)),
      more: rows.length > NOTIFICATIONS_PER_PAGE,
    }
  })

  registerRoute(app, context, seeMyNotifications, async ({ caller, body }) => {
    await caller.db
      .updateTable('notifications')
      .set({ seen_at: clock() })
      .where('project_id', '=', caller.project.id)
      .where('user_id', '=', caller.user.id)
      .where('seen_at', 'is', null)
      .where((eb) => ('id' in body ? eb('id', '=', body.id) : eb('id', '<=', body.up_to)))
      .execute()
    // other tabs of the member
    live.publish(caller.project.id)
    return { unseen: await countUnseen(caller.db, of(caller)) }
  })

  const settingsOf = async ({ db, project, user }: ProjectCaller) => {
    const row = await db
      .selectFrom('notification_settings')
      .select('settings')
      .where('project_id', '=', project.id)
      .where('user_id', '=', user.id)
      .executeTakeFirst()
    return { settings: personalSchema.parse(row?.settings ?? {}) }
  }
  registerRoute(app, context, readMySettings, ({ caller }) => settingsOf(caller))

  registerRoute(app, context, saveMySettings, async ({ caller, body, origin }) => {
    const values = { settings: JSON.stringify(body.settings), updated_at: clock() }
    await caller.db.transaction().execute(async (work) => {
      await work
        .insertInto('notification_settings')
        .values({ project_id: caller.project.id, user_id: caller.user.id, ...values })
        .onConflict((conflict) => conflict.columns(['project_id', 'user_id']).doUpdateSet(values))
        .execute()
      await appendEvent(work, notificationSettingsChanged, origin, {})
    })
    return settingsOf(caller)
  })

  registerRoute(app, context, myNotificationEvents, async ({ caller, params, request, reply }) => {
    await stream({
      reply,
      address: callerAddress(request.ip),
      conversation: `${caller.project.id}.${caller.user.id}`,
      after: 0,
      subscribe: (listener) => live.subscribe(caller.project.id, listener),
      async read() {
        // who was logged out or lost the project hears no more
        const user = await authenticate(context, request)
        if (!user) throw new ApiError('unauthenticated')
        const member = await memberOf(context, user, params.pgid, 'conversations.view')
        return { last: 0, data: await newsOf(member) }
      },
    })
  })

  /** What an open page needs: how many are unseen, and the newest of them. */
  async function newsOf(member: ProjectCaller) {
    const rows = await entriesOf(member.db, of(member))
      .where('notifications.in_app', '=', true)
      .where('notifications.seen_at', 'is', null)
      .clearLimit()
      .limit(1)
      .execute()
    return { unseen: await countUnseen(member.db, of(member)), newest: rows[0] ? presentEntry(rows[0]) : null }
  }
}
