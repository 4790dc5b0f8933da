import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { chatbotOf } from '../../access/chatbots'
import { registerRoute } from '../../access/register'
import { readSharePassword, removeSharePassword, setSharePassword } from '../../contracts/web'
import type { ServerContext } from '../../platform/context'
import type { ProjectDb } from '../../platform/database/database'
import { appendEvent, type EventContext } from '../../platform/events/defineEvent'
import { hashPassword } from '../../platform/passwords'
import { webSettingsChanged } from './events'

/** The password of a shared page: set, taken away, and never told. */
export function registerSharePassword(app: FastifyInstance, context: ServerContext): void {
  registerRoute(app, context, readSharePassword, async ({ caller: { db, project }, params }) => {
    const { id } = await chatbotOf(db, project.id, params.cgid)
    const row = await db
      .selectFrom('web_chats')
      .select('share_password_hash')
      .where('chatbot_id', '=', id)
      .executeTakeFirst()
    return { set: (row?.share_password_hash ?? null) !== null }
  })
  registerRoute(app, context, setSharePassword, async ({ caller: { db, project }, params, body, origin }) => {
    const { id } = await chatbotOf(db, project.id, params.cgid)
    await save(
      db,
      { projectId: project.id, chatbotId: id, cgid: params.cgid },
      await hashPassword(body.password),
      origin,
    )
    return { set: true }
  })
  registerRoute(app, context, removeSharePassword, async ({ caller: { db, project }, params, origin }) => {
    const { id } = await chatbotOf(db, project.id, params.cgid)
    await save(db, { projectId: project.id, chatbotId: id, cgid: params.cgid }, null, origin)
    return { set: false }
  })

  async function save(
    db: ProjectDb,
    { projectId, chatbotId, cgid }: { projectId: string; chatbotId: string; cgid: string },
    share_password_hash: string | null,
    origin: EventContext,
  ): Promise<void> {
    const values = { share_password_hash, updated_at: context.clock() }
    await db.transaction().execute(async (trx) => {
      await trx
        .insertInto('web_chats')
        .values({ chatbot_id: chatbotId, project_id: projectId, share_version: 1, ...values })
        .onConflict((conflict) =>
          conflict
            .column('chatbot_id')
            .doUpdateSet({ ...values, share_version: sql<number>`web_chats.share_version + 1` }),
        )
        .execute()
      await appendEvent(trx, webSettingsChanged, origin, { chatbot: cgid, screen: 'share-password' })
    })
  }
}
