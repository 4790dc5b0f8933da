import type { ServerContext } from '../../../platform/context'
import type { IndexFiles } from './indexFiles'

const HOUR = 3_600_000

/**
 * Removes files of indexes whose chatbot, project or sources are gone: at a start, and every hour. Each process does so
 * itself, since the folder is its machine's own.
 */
export function forgetIndexFiles({ db, log }: Pick<ServerContext, 'db' | 'log'>, files: IndexFiles) {
  let timer: NodeJS.Timeout | undefined
  const sweep = () =>
    files
      .sweep(async ({ projectId, chatbotId }) => {
        const row = await db
          .forProject(projectId)
          .selectFrom('knowledge_chunks')
          .select('id')
          .where('project_id', '=', projectId)
          .where('chatbot_id', '=', chatbotId)
          .limit(1)
          .executeTakeFirst()
        return row !== undefined
      })
      .catch((error) => log.error({ err: error }, 'files of indexes were not removed'))
  return {
    sweep,
    open: async () => {
      timer = setInterval(sweep, HOUR).unref()
      void sweep()
    },
    stop: () => clearInterval(timer),
  }
}
