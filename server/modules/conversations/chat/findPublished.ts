import type { ServerContext } from '../../../platform/context'
import { ApiError } from '../../../platform/errors'
import { codeOf } from '../../agents/answering/visitorTexts'

/** The chatbot behind a slug, while it is published. Throws not_found. */
export async function findPublished({ db }: Pick<ServerContext, 'db'>, slug: string) {
  // The slug is the tenant's own, unique in the installation: it names chatbot and project.
  const row = await db
    .selectFrom('chatbots')
    .innerJoin('flows', (join) =>
      join
        .onRef('flows.chatbot_id', '=', 'chatbots.id')
        .onRef('flows.project_id', '=', 'chatbots.project_id')
        .on('flows.is_main', '=', true),
    )
    .select([
      'chatbots.id',
      'chatbots.name',
      'chatbots.project_id',
      'chatbots.ai_language',
      'flows.published_version_id',
    ])
    .where('chatbots.slug', '=', slug)
    .executeTakeFirst()
  if (!row?.published_version_id) throw new ApiError('not_found', { message: 'This chatbot is not available.' })
  return {
    chatbotId: row.id,
    projectId: row.project_id,
    versionId: row.published_version_id,
    name: row.name,
    language: codeOf(row.ai_language) ?? 'auto',
  }
}
