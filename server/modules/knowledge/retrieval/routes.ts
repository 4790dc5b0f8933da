import type { FastifyInstance } from 'fastify'
import { registerRoute } from '../../../access/register'
import { readEmbeddings } from '../../../contracts/embeddings'
import type { ServerContext } from '../../../platform/context'
import type { Models } from '../../models/models'

/** How far a project's passages are embedded. */
export function registerEmbeddings(app: FastifyInstance, context: ServerContext, models: Models): void {
  registerRoute(app, context, readEmbeddings, async ({ caller: { db, project } }) => {
    const embedder = await models.embedder(project.id)
    const { passages, embedded } = await db
      .selectFrom('knowledge_chunks')
      .select(({ fn }) => [
        fn.countAll<string>().as('passages'),
        fn
          .countAll<string>()
          .filterWhere('embedding_model', '=', embedder?.id ?? '')
          .as('embedded'),
      ])
      .where('project_id', '=', project.id)
      .executeTakeFirstOrThrow()
    return { model: embedder?.name ?? null, embedded: Number(embedded), passages: Number(passages) }
  })
}
