import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { chatbotOf } from '../../access/chatbots'
import { type Entitled, entitlementsOf } from '../../access/entitlements'
import { registerRoute } from '../../access/register'
import { publishLook, readLook, saveLook } from '../../contracts/web'
import type { Look } from '../../contracts/web/look'
import type { ServerContext } from '../../platform/context'
import { ApiError } from '../../platform/errors'
import { appendEvent } from '../../platform/events/defineEvent'
import { tickChecklist } from '../onboarding/checklist'
import { lookPublished, webSettingsChanged } from './events'
import type { Publications } from './publications'
import { readLookRow } from './webSettings'

const STALE = 'Somebody else has saved this meanwhile. Reload to see it.'

/** The look of a chatbot: a draft that editors save, and what of it visitors see. */
export function registerLook(app: FastifyInstance, context: ServerContext, publications: Publications): void {
  registerRoute(app, context, readLook, async ({ caller: { db, project }, params }) => {
    const { id } = await chatbotOf(db, project.id, params.cgid)
    return readLookRow(db, { projectId: project.id, chatbotId: id })
  })

  registerRoute(app, context, saveLook, async ({ caller: { db, project }, params, body, origin }) => {
    const { id } = await chatbotOf(db, project.id, params.cgid)
    const place = { projectId: project.id, chatbotId: id }
    await db.transaction().execute(async (trx) => {
      mayHideBranding(project, (await readLookRow(trx, place)).draft, body.look)
      const updated_at = context.clock()
      const look_draft = JSON.stringify(body.look)
      const saved = await trx
        .insertInto('web_chats')
        .values({
          chatbot_id: id,
          project_id: project.id,
          look_draft,
          look_revision: body.revision + 1,
          updated_at,
        })
        .onConflict((conflict) =>
          conflict
            .column('chatbot_id')
            .doUpdateSet({ look_draft, look_revision: body.revision + 1, updated_at })
            .where('web_chats.look_revision', '=', body.revision),
        )
        .returning('chatbot_id')
        .executeTakeFirst()
      if (!saved) throw new ApiError('conflict', { message: STALE })
      await appendEvent(trx, webSettingsChanged, origin, { chatbot: params.cgid, screen: 'look' })
      await tickChecklist(trx, project.id, 'web_customization')
    })
    return readLookRow(db, place)
  })

  registerRoute(app, context, publishLook, async ({ caller: { db, project, user }, params, body, origin }) => {
    const { id } = await chatbotOf(db, project.id, params.cgid)
    await db.transaction().execute(async (trx) => {
      const published = await trx
        .updateTable('web_chats')
        .set({
          look_published: sql`look_draft`,
          look_published_at: context.clock(),
          look_published_by: user.id,
          updated_at: context.clock(),
        })
        .where('project_id', '=', project.id)
        .where('chatbot_id', '=', id)
        .where('look_revision', '=', body.revision)
        .returning('chatbot_id')
        .executeTakeFirst()
      if (!published) throw new ApiError('conflict', { message: STALE })
      await appendEvent(trx, lookPublished, origin, { chatbot: params.cgid, revision: body.revision })
    })
    publications.publish(id, 'web')
    return readLookRow(db, { projectId: project.id, chatbotId: id })
  })
}

/**
 * A look that had no branding when the plan ended can be edited on: visitors see it with branding (withinPlan.ts).
 * @throws ApiError `plan_limit` for a look whose branding is switched off where the plan wants it there
 */
function mayHideBranding(project: Entitled, before: Look, look: Look): void {
  if (before.parts.branding && !look.parts.branding && !entitlementsOf(project).features.no_branding)
    throw new ApiError('plan_limit')
}
