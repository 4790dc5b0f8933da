import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { chatbotOf } from '../../../access/chatbots'
import { registerRoute } from '../../../access/register'
import { isAllowed } from '../../../access/roles'
import {
  dashboard,
  readUsage,
  readWholeChatbot,
  updateAgentChecklist,
  updateSettings,
} from '../../../contracts/account'
import { readEntitlements } from '../../../contracts/billing'
import { readUsageHistory } from '../../../contracts/usage'
import type { ServerContext } from '../../../platform/context'
import type { Models } from '../../models/models'
import { hideOfChatbot } from './fields'
import { currentChatbot, loadAccount, loadUsage } from './loadAccount'
import { presentChecklist, presentEntitlements } from './presenter'
import { settingsOf } from './settings'
import { readHistory } from './usageHistory'

export function registerAccount(app: FastifyInstance, context: ServerContext, models: Models): void {
  const { db } = context

  registerRoute(app, context, dashboard, ({ caller, body }) => loadAccount(context, models, caller.user, body))

  registerRoute(app, context, readWholeChatbot, async ({ caller: { db, project, roles }, params: { cgid } }) => {
    const whole = await currentChatbot(db, project.id, await chatbotOf(db, project.id, cgid))
    return { chatbot: hideOfChatbot(whole, (feature) => isAllowed(roles, feature)) }
  })

  registerRoute(app, context, readUsage, async ({ caller: { db, project } }) => ({
    plan: project.plan_id,
    usage: await loadUsage({ db, clock: context.clock }, project),
  }))

  registerRoute(app, context, readUsageHistory, async ({ caller: { db, project } }) => ({
    meters: await readHistory({ db, project, at: context.clock() }),
  }))

  registerRoute(app, context, readEntitlements, async ({ caller: { project } }) => presentEntitlements(project))

  registerRoute(app, context, updateSettings, async ({ caller, body: { language, ...notices } }) => {
    const changes = given(notices)
    if (language) await db.updateTable('users').set({ language }).where('id', '=', caller.user.id).execute()
    if (Object.keys(changes).length > 0) {
      await db.updateTable('user_settings').set(changes).where('user_id', '=', caller.user.id).execute()
    }
    return settingsOf(db, caller.user.id, context.clock())
  })

  registerRoute(app, context, updateAgentChecklist, async ({ caller, body }) => {
    const changes = given({ dismissed: body.dismissed, ...body.completed })
    // merged by the database, so that concurrent updates don't overwrite each other
    const { checklist } = await db
      .updateTable('projects')
      .set({ checklist: sql<string>`checklist || ${JSON.stringify(changes)}::jsonb` })
      .where('id', '=', caller.project.id)
      .returning('checklist')
      .executeTakeFirstOrThrow()
    return presentChecklist(checklist)
  })
}

/** Without undefined fields. */
function given<Key extends string>(
  changes: Partial<Record<Key, boolean | null | undefined>>,
): Partial<Record<Key, boolean>> {
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => typeof value === 'boolean')) as Partial<
    Record<Key, boolean>
  >
}
