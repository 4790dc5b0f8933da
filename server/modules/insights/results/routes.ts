import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { chatbotOf } from '../../../access/chatbots'
import { registerRoute } from '../../../access/register'
import { listResults, RESULTS_PER_PAGE } from '../../../contracts/results'
import type { ServerContext } from '../../../platform/context'

/** @param count brings the results of a project up to date */
export function registerResults(
  app: FastifyInstance,
  context: ServerContext,
  count: (projectId: string) => Promise<void>,
): void {
  registerRoute(app, context, listResults, async ({ caller: { db, project }, params, query }) => {
    const chatbot = await chatbotOf(db, project.id, params.cgid)
    await count(project.id)
    const { from, to, completed, environment, before } = query
    const rows = await db
      .selectFrom('flow_results as results')
      .innerJoin('conversations', (join) =>
        join
          .onRef('conversations.id', '=', 'results.conversation_id')
          .onRef('conversations.project_id', '=', 'results.project_id'),
      )
      .select(['conversations.gid', 'results.answers', 'results.completed'])
      .select(['results.environment', 'results.started_at'])
      .where('results.project_id', '=', project.id)
      .where('results.chatbot_id', '=', chatbot.id)
      .$if(from !== undefined, (some) => some.where('results.started_at', '>=', new Date(`${from}T00:00:00Z`)))
      .$if(to !== undefined, (some) =>
        some.where(sql<boolean>`results.started_at < ${to}::date::timestamp at time zone 'utc' + interval '1 day'`),
      )
      .$if(completed !== undefined, (some) => some.where('results.completed', '=', completed === 'yes'))
      .$if(environment !== undefined, (some) => some.where('results.environment', '=', environment ?? 'production'))
      .$if(before !== undefined, (some) =>
        some.where(sql<boolean>`(results.started_at, results.conversation_id) < (
          select last.started_at, last.conversation_id from flow_results last
            join conversations c on c.id = last.conversation_id and c.project_id = last.project_id
          where c.gid = ${before} and last.project_id = ${project.id})`),
      )
      .orderBy('results.started_at', 'desc')
      .orderBy('results.conversation_id', 'desc')
      .limit(RESULTS_PER_PAGE + 1)
      .execute()
    const shown = rows.slice(0, RESULTS_PER_PAGE)
    // the newest first: a question that was renamed is called as it is now
    const columns = new Map<string, string>()
    for (const { id, name } of shown.flatMap(({ answers }) => answers)) if (!columns.has(id)) columns.set(id, name)
    return {
      columns: [...columns].map(([id, name]) => ({ id, name })),
      results: shown.map(({ gid, answers, started_at, ...result }) => ({
        conversation: gid,
        ...result,
        started_at: started_at.toISOString(),
        answers: Object.fromEntries(answers.map(({ id, value }) => [id, value])),
      })),
      more: rows.length > RESULTS_PER_PAGE,
    }
  })
}
