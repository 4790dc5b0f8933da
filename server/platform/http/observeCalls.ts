import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ServerContext } from '../context'
import type { Metrics } from '../metrics/createMetrics'

/** Contracts are few; what belongs to none is counted together, whatever it is called. */
const OTHER = 'other'

/**
 * Counts answered calls, and at level `info` logs each with its id, which its answer bears as `x-request-id`. A path
 * stands in the log without its query, which may hold a conversation's secret.
 */
export function observeCalls(app: FastifyInstance, { metrics }: Pick<ServerContext, 'metrics'>): void {
  app.decorate('metrics', metrics)
  app.addHook('onResponse', async (request, reply) => {
    const { method } = request
    const route = request.routeOptions.config.contract?.path ?? OTHER
    const status = reply.raw.statusCode
    metrics.calls.inc({ method: route === OTHER ? OTHER : method, route, status: `${Math.floor(status / 100)}xx` })
    if (!metrics.isStream(reply.raw)) metrics.callSeconds.observe({ kind: kindOf(request) }, reply.elapsedTime / 1_000)
    request.log.info(
      { method, path: request.url.split('?', 1)[0], route, status, ms: Math.round(reply.elapsedTime) },
      'a call was answered',
    )
  })
}

/** What a call costs by: those of one kind are comparable. */
function kindOf({ routeOptions: { config } }: FastifyRequest): string {
  const { contract } = config
  if (!contract) return OTHER
  return contract.load ?? (contract.method === 'GET' ? 'read' : 'write')
}

declare module 'fastify' {
  interface FastifyInstance {
    metrics: Metrics
  }
}
