import type { FastifyInstance } from 'fastify'
import { findFlow } from '../../access/findFlow'
import { registerRoute } from '../../access/register'
import { readFlowStatistics } from '../../contracts/statistics'
import type { ServerContext } from '../../platform/context'
import { ApiError } from '../../platform/errors'
import { countVisits } from './countVisits'
import { readStatistics } from './readStatistics'

/** Routes for the statistics of a flow. */
export function registerStatistics(app: FastifyInstance, context: ServerContext): void {
  registerRoute(app, context, readFlowStatistics, async ({ params, query, caller }) => {
    if (query.from && query.to && query.from > query.to) {
      throw new ApiError('invalid', {
        fields: { to: `The last day (${query.to}) is before the first (${query.from}).` },
      })
    }
    const { project_id, chatbot_id, gid, is_main } = await findFlow(caller, caller.project.id, params)
    const place = { projectId: project_id, chatbotId: chatbot_id }
    await countVisits(context, place)
    return readStatistics({ db: caller.db, clock: context.clock }, { ...place, flow: is_main ? '' : gid }, query)
  })
}
