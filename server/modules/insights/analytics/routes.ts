import type { FastifyInstance } from 'fastify'
import type { ProjectCaller } from '../../../access/access'
import { chatbotOf } from '../../../access/chatbots'
import { hasFeature } from '../../../access/entitlements'
import { registerRoute } from '../../../access/register'
import { type AnalyticsFilter, DRILLED_PER_PAGE, drillAnalytics, readAnalytics } from '../../../contracts/analytics'
import type { ServerContext } from '../../../platform/context'
import { ApiError } from '../../../platform/errors'
import { readCreditPrice } from '../../billing/creditPrice'
import { countVisits } from '../../statistics/countVisits'
import { drill } from './drill'
import { periodOf } from './period'
import { readAnalytics as readFigures } from './readAnalytics'
import type { Scope } from './scope'

/** @param count brings the figures of a project up to date */
export function registerAnalytics(
  app: FastifyInstance,
  context: ServerContext,
  count: (projectId: string) => Promise<void>,
): void {
  registerRoute(app, context, readAnalytics, async ({ caller, query }) => {
    const scope = await scopeOf(caller, query)
    await count(caller.project.id)
    if (scope.chatbotId !== null) await countVisits(context, { projectId: scope.projectId, chatbotId: scope.chatbotId })
    const full = hasFeature(caller.project, 'analytics')
    const credit_price = full ? await readCreditPrice(caller.db, context.config) : null
    return { ...(await readFigures(caller.db, scope, { full, now: context.clock() })), credit_price }
  })

  registerRoute(app, context, drillAnalytics, async ({ caller, query }) => {
    const scope = await scopeOf(caller, query)
    if (query.figure.startsWith('agent_') && query.agent === undefined)
      throw new ApiError('invalid', { fields: { agent: `Name the member whose ${query.figure} are wanted.` } })
    if (query.figure === 'left' && (query.block === undefined || query.chatbot === undefined))
      throw new ApiError('invalid', { fields: { block: 'Name the chatbot and the block at which visitors left.' } })
    if (query.figure === 'reached' && (query.chatbot === undefined || (query.block ?? query.group) === undefined))
      throw new ApiError('invalid', { fields: { block: 'Name the chatbot and the group or block that was reached.' } })
    const rows = await drill(caller.db, scope, query, context.clock())
    return {
      conversations: rows.slice(0, DRILLED_PER_PAGE).map(({ chatbot_gid, chatbot_name, started_at, ...row }) => ({
        ...row,
        chatbot: { gid: chatbot_gid, name: chatbot_name },
        started_at: started_at.toISOString(),
      })),
      more: rows.length > DRILLED_PER_PAGE,
    }
  })
}

async function scopeOf({ db, project }: ProjectCaller, query: AnalyticsFilter): Promise<Scope> {
  const { chatbot, environment, channel } = query
  const chatbotId = chatbot === undefined ? null : (await chatbotOf(db, project.id, chatbot)).id
  return { projectId: project.id, chatbotId, period: periodOf(query), environment, channel }
}
