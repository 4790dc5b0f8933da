import type { FastifyInstance } from 'fastify'
import { chatbotOf } from '../../access/chatbots'
import { registerRoute } from '../../access/register'
import { setupOf } from '../../access/setup'
import { readOverview } from '../../contracts/web'
import type { ServerContext } from '../../platform/context'
import { opennessNow } from './availability'
import { webChatOf } from './webSettings'

/** Where a chatbot stands on its way to visitors. */
export function registerOverview(app: FastifyInstance, context: ServerContext): void {
  registerRoute(app, context, readOverview, async ({ caller: { db, project }, params }) => {
    const chatbot = await chatbotOf(db, project.id, params.cgid)
    const row = await db.selectFrom('web_chats').selectAll().where('chatbot_id', '=', chatbot.id).executeTakeFirst()
    const web = webChatOf(row ?? {})
    const embedded = await db
      .selectFrom('conversations')
      .select('id')
      .where('chatbot_id', '=', chatbot.id)
      .where('environment', '=', 'production')
      .limit(1)
      .executeTakeFirst()
    const { by_visitor, by_address, by_chatbot } = web.visibility.limits
    const { open, changesAt } = opennessNow(web.visibility, context.clock())
    return {
      overview: {
        published:
          chatbot.published_number === null || chatbot.published_at === null
            ? null
            : { version: chatbot.published_number, at: chatbot.published_at.toISOString() },
        draft_changed: chatbot.draft_changed,
        setup: setupOf(chatbot),
        look_published_at: row?.look_published_at?.toISOString() ?? null,
        embed: { enabled: web.embed.enabled, domains: web.embed.whitelisted_domains.length },
        embedded: embedded !== undefined,
        visibility: web.visibility.visibility,
        schedule: web.visibility.schedule.enabled,
        open,
        changes_at: changesAt?.toISOString() ?? null,
        time_zone: web.visibility.schedule.time_zone,
        share: {
          slug: chatbot.slug,
          domain: chatbot.domain,
          password: (row?.share_password_hash ?? null) !== null,
          auth_enabled: web.share.auth_enabled,
          robots: web.share.robots,
        },
        survey: web.survey.enabled,
        language: web.language.interface_language,
        own_texts: Object.keys(web.language.texts).length,
        answers_by_mail: web.continuation.enabled,
        limited: by_visitor + by_address + by_chatbot > 0,
      },
    }
  })
}
