import type { ServerContext } from '../../../platform/context'
import { ApiError } from '../../../platform/errors'
import { tagOf } from '../../agents/answering/visitorTexts'
import { webChatOf } from '../../web/webSettings'
import { withinPlan } from '../../web/withinPlan'
import { nameOf } from '../runtime/publicName'
import { lockOf } from '../runtime/shareLock'

/**
 * The chatbot that a visitor names, while it is published, and how it is on the web. Throws not_found.
 * @param name the slug of its shared page, or `@` and its external id where it is embedded
 */
export async function findPublished({ db }: Pick<ServerContext, 'db'>, name: string) {
  const { column, value, environment } = nameOf(name)
  // Both are unique in the installation: they name chatbot and project.
  const row = await db
    .selectFrom('chatbots')
    .innerJoin('flows', (join) =>
      join
        .onRef('flows.chatbot_id', '=', 'chatbots.id')
        .onRef('flows.project_id', '=', 'chatbots.project_id')
        .on('flows.is_main', '=', true),
    )
    .innerJoin('projects', 'projects.id', 'chatbots.project_id')
    .leftJoin('web_chats', (join) =>
      join.onRef('web_chats.chatbot_id', '=', 'chatbots.id').onRef('web_chats.project_id', '=', 'chatbots.project_id'),
    )
    .select([
      'chatbots.id',
      'chatbots.name',
      'chatbots.egid',
      'chatbots.project_id',
      'chatbots.ai_language',
      'projects.plan_id',
      'projects.addons',
      'flows.published_version_id',
      'web_chats.embed',
      'web_chats.visibility',
      'web_chats.share',
      'web_chats.language',
      'web_chats.survey',
      'web_chats.look_published',
      'web_chats.share_password_hash',
      'web_chats.share_version',
      'web_chats.share_key',
    ])
    .where(column, '=', value)
    .where('chatbots.deleting_since', 'is', null)
    .where('chatbots.suspended_at', 'is', null)
    .executeTakeFirst()
  if (!row?.published_version_id) throw notAvailable()
  const web = withinPlan(webChatOf(row), row)
  if (environment === 'production' && !web.embed.enabled) throw notAvailable()
  return {
    chatbotId: row.id,
    projectId: row.project_id,
    versionId: row.published_version_id,
    egid: row.egid,
    environment,
    web,
    lock: lockOf(environment, row),
    name: row.name,
    language: tagOf(row.ai_language) ?? 'auto',
  }
}

/** Says no more of a chatbot that is there than of one that is not. */
export const notAvailable = () => new ApiError('not_found', { message: 'This chatbot is not available.' })
